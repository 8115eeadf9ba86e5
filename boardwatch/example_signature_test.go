package boardwatch_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func ExampleVerify() {
	secret := []byte("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY") // as it was shown, prefix included
	body := []byte(`{"id":"65f0c0ffee000000000000ff","type":"ping"}`)
	at := time.Unix(1_800_000_000, 0)
	header := boardwatch.Sign(secret, body, at)
	fmt.Println(header)

	fmt.Println(boardwatch.Verify(secret, body, header, boardwatch.SignatureTolerance, at.Add(time.Minute)))
	late := boardwatch.Verify(secret, body, header, boardwatch.SignatureTolerance, at.Add(6*time.Minute))
	fmt.Println(errors.Is(late, boardwatch.ErrSignatureStale))
	other := boardwatch.Verify(secret, append(body, '\n'), header, boardwatch.SignatureTolerance, at)
	fmt.Println(errors.Is(other, boardwatch.ErrSignatureWrong))
	// Output:
	// t=1800000000,v1=4aa7d418c02cf7174755fd34b2d323d2580e6f39068147e96989017aa200f57e
	// <nil>
	// true
	// true
}
