import ts from 'typescript';

/** The name under which instrumented code imports `hit`. */
const HIT = '__hit';

/** Literals that are worth trying as input: names and values, not sentences. */
const isWord = (text: string): boolean => /^[!-~]{2,32}$/.test(text) && !text.endsWith('.ts');

export interface Instrumented {
  /** JavaScript that calls `hit` in every branch. */
  readonly source: string;
  /** The words that the module compares input with, among others. */
  readonly words: readonly string[];
}

/**
 * Compiles a module so that every function, branch and round of a loop reports that it runs.
 *
 * @param coverage The URL of the module that exports `hit`.
 */
export const addCounters = (text: string, coverage: string, newBranch: () => number): Instrumented => {
  const words = new Set<string>();

  const counting: ts.TransformerFactory<ts.SourceFile> = (context) => {
    const { factory } = context;
    const call = () =>
      factory.createCallExpression(factory.createIdentifier(HIT), undefined, [
        factory.createNumericLiteral(newBranch()),
      ]);
    const statement = () => factory.createExpressionStatement(call());
    const counted = (value: ts.Expression) =>
      factory.createParenthesizedExpression(
        factory.createComma(call(), factory.createParenthesizedExpression(value)),
      );

    const isShortCircuit = ({ kind }: ts.Node) =>
      kind === ts.SyntaxKind.AmpersandAmpersandToken ||
      kind === ts.SyntaxKind.BarBarToken ||
      kind === ts.SyntaxKind.QuestionQuestionToken;

    const visit = (given: ts.Node): ts.Node => {
      if (ts.isTypeNode(given) || ts.isImportDeclaration(given) || ts.isExportDeclaration(given)) {
        return given;
      }
      if (ts.isStringLiteralLike(given) && isWord(given.text)) {
        words.add(given.text);
      }
      const node = ts.visitEachChild(given, visit, context);
      if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) {
        const body = counted(node.body);
        const { modifiers, typeParameters, parameters, type, equalsGreaterThanToken } = node;
        return factory.updateArrowFunction(
          node,
          modifiers,
          typeParameters,
          parameters,
          type,
          equalsGreaterThanToken,
          body,
        );
      }
      // The bodies of functions and loops, too: the linter demands braces.
      if (ts.isBlock(node)) {
        return factory.updateBlock(node, [statement(), ...node.statements]);
      }
      if (ts.isIfStatement(node)) {
        const otherwise = node.elseStatement ?? factory.createBlock([statement()]);
        return factory.updateIfStatement(node, node.expression, node.thenStatement, otherwise);
      }
      if (ts.isConditionalExpression(node)) {
        const { condition, questionToken, whenTrue, colonToken, whenFalse } = node;
        return factory.updateConditionalExpression(
          node,
          condition,
          questionToken,
          counted(whenTrue),
          colonToken,
          counted(whenFalse),
        );
      }
      if (ts.isBinaryExpression(node) && isShortCircuit(node.operatorToken)) {
        return factory.updateBinaryExpression(node, node.left, node.operatorToken, counted(node.right));
      }
      if (ts.isCaseClause(node)) {
        return factory.updateCaseClause(node, node.expression, [statement(), ...node.statements]);
      }
      if (ts.isDefaultClause(node)) {
        return factory.updateDefaultClause(node, [statement(), ...node.statements]);
      }
      return node;
    };
    return (file) => ts.visitEachChild(file, visit, context);
  };

  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      isolatedModules: true,
    },
    transformers: { before: [counting] },
  });
  return {
    source: `import { hit as ${HIT} } from ${JSON.stringify(coverage)};\n${outputText}`,
    words: [...words],
  };
};
