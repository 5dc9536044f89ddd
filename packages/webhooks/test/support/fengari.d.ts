declare module 'fengari' {
  /** A state of the Lua machine. */
  type State = object;
  type Text = Uint8Array;

  export const to_luastring: (text: string) => Text;
  export const lauxlib: {
    luaL_newstate(): State;
    luaL_dostring(state: State, code: Text): number;
  };
  export const lualib: { luaL_openlibs(state: State): void };
  export const lua: {
    lua_createtable(state: State, items: number, fields: number): void;
    lua_pushboolean(state: State, value: boolean): void;
    lua_pushjsfunction(state: State, run: (state: State) => number): void;
    lua_pushstring(state: State, text: Text): void;
    lua_rawseti(state: State, table: number, index: number): void;
    lua_setfield(state: State, table: number, name: Text): void;
    lua_setglobal(state: State, name: Text): void;
    lua_tojsstring(state: State, index: number): string;
  };
}
