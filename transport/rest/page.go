package rest

// pagePolicy lets a page load nothing but our own style sheet: there are no scripts.
const pagePolicy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

var notFoundPage = []byte(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not found · boardwatch</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<main>
<h1>There is nothing at this address</h1>
<p>The interface for programs is described at <a href="/docs">/docs</a>.</p>
</main>
</body>
</html>
`)
