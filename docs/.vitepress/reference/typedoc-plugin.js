import { Application, Comment, Converter, ReflectionKind } from 'typedoc';

/** Names each module by its import specifier. */
export const nameAsUsersDo = (namesBySource) => (app) => {
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, ({ project }, reflection) => {
    const source = project.getSymbolIdFromReflection(reflection)?.fileName;
    if (reflection.kindOf(ReflectionKind.Module)) {
      reflection.name = namesBySource.get(source) ?? reflection.name;
    }
  });
};

/** Errors of the language itself, which have no page here. */
const BUILT_IN = /^(?:Type|Range)?Error$/;

/**
 * Resolves links to exports of a different entry point of the same package. TypeScript parses the braces of
 * `@throws {@link X}` as a type, so TypeDoc gets nothing but the name.
 */
export const linkAcrossEntries = (app) => {
  const packageOf = (reflection) => {
    let module = reflection;
    while (module !== undefined && !module.kindOf(ReflectionKind.Module)) {
      module = module.parent;
    }
    return module?.name.split('/').slice(0, 2).join('/');
  };
  app.converter.addUnknownSymbolResolver(({ symbolReference }, reflection) => {
    const name = symbolReference?.path?.[0]?.path ?? '';
    if (BUILT_IN.test(name)) {
      return `https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects/${name}`;
    }
    const target = reflection.project
      .getReflectionsByKind(ReflectionKind.SomeExport)
      .find((one) => one.name === name && packageOf(one) === packageOf(reflection));
    return target === undefined ? undefined : { target, caption: name };
  });
};

/** Types that tell readers less than their fields do. */
const OPAQUE = /^(?:z\.infer<|Pick<|keyof |\{\s*(?:readonly\s+)?\[\w+ in )/;

/** Replaces such types in the reference with their fields. */
export const showFields = (app) => {
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    const symbol = context.getSymbolFromReflection(reflection);
    const declared = symbol?.declarations?.[0]?.type?.getText() ?? '';
    if (!OPAQUE.test(declared)) {
      return;
    }
    if (reflection.kindOf(ReflectionKind.TypeAlias)) {
      reflection.comment ??= new Comment();
      reflection.comment.modifierTags.add('@useDeclaredType');
      const generic = context.checker.getDeclaredTypeOfSymbol(symbol);
      // Otherwise TypeDoc shows the alias as an alias of itself.
      if (generic.aliasTypeArguments !== undefined || declared.startsWith('{')) {
        generic.aliasSymbol = undefined;
      }
      return;
    }
    const type = context.checker.getTypeOfSymbol(symbol);
    // TypeDoc shows the alias if the type has one.
    const { aliasSymbol } = type;
    type.aliasSymbol = undefined;
    reflection.type = app.converter.convertType(context.withScope(reflection), type);
    type.aliasSymbol = aliasSymbol;
  });
  // Otherwise a field of a schema shows the name of its schema as its default value.
  app.converter.on(Converter.EVENT_RESOLVE, (_, reflection) => {
    if (reflection.kindOf(ReflectionKind.Property)) {
      delete reflection.defaultValue;
    }
  });
};

/** TypeDoc only looks for missing exports in one package, so this validates each of our packages. */
export const validateEachPackage = (packages) => (app) => {
  app.on(Application.EVENT_VALIDATE_PROJECT, (project) => {
    const { packageName } = project;
    if (packages.includes(packageName)) {
      return;
    }
    for (const name of packages) {
      project.packageName = name;
      app.validate(project);
    }
    project.packageName = packageName;
  });
};
