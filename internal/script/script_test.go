package script_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/internal/script"
)

func TestLiteralsAreEvaluated(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		`{a:'b',"c":[1,,2],d:!0,e:void 0,f:-1.5e3}`:                            `{"a":"b","c":[1,2],"d":true,"e":null,"f":-1.5e3}`,
		`["\u{1F600}\ud83d\ude00\x41", "a"+"b"]`:                               `["😀😀A","ab"]`,
		`{a: 1 ? 2 : 3, b: c || "d", /* no */ e: 0x10} // end`:                 `{"a":2,"b":"d","e":16}`,
		`(function(a,b){a.t="x";b[0]=a;return {list:b,a:a.t}}({},[0]))`:        `{"list":[{"t":"x"}],"a":"x"}`,
		`((a,b)=>({a,b}))(1,"two")`:                                            `{"a":1,"b":"two"}`,
		`JSON.parse("{\"title\":\"Fitter\"}")`:                                 `{"title":"Fitter"}`,
		`JSON.parse(decodeURIComponent("%7B%22a%22%3A1%7D"))`:                  `{"a":1}`,
		"{t:`one ${\"two\"}`, f(){ return 1 }, get g(){ return 2 }, h:/[/]/g}": `{"t":"one two","h":null}`,
		`new Map([["a",1]])`:                                                   `{"a":1}`,
		`{...{a:1},b:fetch("/elsewhere"),c:window.name}`:                       `{"a":1,"b":null,"c":null}`,
		`{f:function(){for(;;){}}}`:                                            `{"f":{}}`,
	} {
		v, end, err := script.New(src).Value(0)
		require.NoError(t, err, src)
		require.LessOrEqual(t, end, len(src))
		got, err := json.Marshal(v)
		require.NoError(t, err, src)
		require.JSONEq(t, want, string(got), src)
	}
}

func TestWhatIsNoPlainValueIsAnError(t *testing.T) {
	t.Parallel()
	for _, src := range []string{``, `{a:1`, `["a"`, `"a`, `{a:}`, `a=1`, `return 1`, `for(;;){}`, `(function(){while(true){}})()`, "tag`x`", strings.Repeat("[", 1000)} {
		_, _, err := script.New(src).Value(0)
		require.Error(t, err, src)
	}
}

// The work is bounded by the length of the script: a text that doubles itself comes to an end.
func TestWorkIsBounded(t *testing.T) {
	t.Parallel()
	doubling := `(function(a){` + strings.Repeat(`a=a+a;`, 60) + `return a})("0123456789")`
	_, _, err := script.New(doubling).Value(0)
	require.Error(t, err)

	s := script.New(strings.Repeat("[", 300))
	for range 1_000 {
		_, _, err := s.Value(0)
		require.Error(t, err)
	}
	require.True(t, s.Spent())
}

func TestJSONIsTheLiteralThatATextBeginsWith(t *testing.T) {
	t.Parallel()
	document, err := script.JSON(` [{id: 7, title: 'Fit' + 'ter', tags: [], n: undefined,},]; other(); ]`)
	require.NoError(t, err)
	require.JSONEq(t, `[{"id":7,"title":"Fitter","tags":[],"n":null}]`, string(document))

	for _, src := range []string{
		``, `7`, `"a"`, `jobs`, `[{id: 7}`, `{a:[1}`,
		`[{id: f(1)}]`, `[{id: x}]`, `[{id}]`, `[{id(){}}]`, `[...more, {id: 7}]`, `[{...more}]`, `[new Date(1)]`, "[`${x}`]", `[function(){}]`, `[()=>1]`, `["a"(1)]`,
	} {
		_, err := script.JSON(src)
		require.Error(t, err, src)
	}
}

func TestMembersAndKeysOfValues(t *testing.T) {
	t.Parallel()
	v, _, err := script.New(`{"1":"one",list:["a","b"]}`).Value(0)
	require.NoError(t, err)
	require.Equal(t, "one", script.Member(v, script.Key(json.Number("1"))))
	require.Equal(t, "b", script.Member(script.Member(v, "list"), "1"))
	require.Nil(t, script.Member(script.Member(v, "list"), "2"))
	require.Nil(t, script.Member("text", "length"))
	require.Empty(t, script.Key(true))
}

// Any text is evaluated within bounds.
func FuzzValue(f *testing.F) {
	for _, src := range []string{
		`window.x=(function(a,b){a.t="x";b[0]=a;return {jobs:[a,b,!0,void 0,-1.5e3]}}({},[]))`, `var a={b:'c',"d":[1,,2],e(){return 1},get f(){return 2},...g,[h]:1}`,
		`JSON.parse("{\"title\":\"location\"}")`, "x=`a${1}b`", `a=/[/]/g,b=1/2/3`, `(a,b)=>({a,b})`, `x={a:1?2:3,b:c||"d",e:f&&g,h:"i"+"j"}`, `new Map([["a",1]])`, `"\u{1F600}\ud83d\ude00\x41"`,
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		s := script.New(src)
		for at := 0; at < len(src) && at < 200; at++ {
			if _, end, err := s.Value(at); err == nil {
				require.LessOrEqual(t, end, len(src))
			}
		}
		if document, err := script.JSON(src); err == nil {
			require.True(t, json.Valid(document))
		}
	})
}
