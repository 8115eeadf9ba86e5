package ats

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

func init() {
	register(&declared{
		name: "moka",
		about: About{
			Name: "Moka", Site: "mokahr.com",
			Addresses: []string{"app.mokahr.com/social-recruitment/{org}/{site}", "app.mokahr.com/campus-recruitment/{org}/{site}", "hire-r1.mokahr.com/social-recruitment/{org}/{site}"},
			Endpoint:  "POST https://app.mokahr.com/api/outer/ats-apply/website/jobs/v2",
			Reads:     "id, title, every place, department, address",
			Evidence:  Several,
		},
		board: mokaBoard,
		valid: func(board string) bool {
			org, site, ok := strings.Cut(board, "/")
			return ok && isToken(org) && isNumber(site)
		},
		page:  func(board string) string { return mokaPages[0] + board },
		pages: paged{size: mokaSize},
		open:  mokaJobs,
	})
}

const mokaSize = 50

// mokaPages are where boards are, and where boards for students are. Which of the two is not part of a board's name.
var mokaPages = []string{"https://app.mokahr.com/social-recruitment/", "https://app.mokahr.com/campus-recruitment/"}

var mokaKind = lazyregexp.New(`^(?:social|campus|intern)[_-](?:recruitment|apply)$`)

func mokaBoard(a address) string {
	if a.host != "app.mokahr.com" && a.host != "hire-r1.mokahr.com" {
		return ""
	}
	path := a.path()
	if len(path) < 3 || !mokaKind.MatchString(strings.ToLower(path[0])) {
		return ""
	}
	return path[1] + "/" + path[2]
}

type mokaJob struct {
	ID         id              `json:"id"`
	Title      string          `json:"title"`
	Department json.RawMessage `json:"department"` // a text, or an object with a name
	Locations  []struct {
		CityName     string `json:"cityName"`
		ProvinceName string `json:"provinceName"`
		Country      string `json:"country"`
	} `json:"locations"`
}

// mokaJobs asks for the roles. Answers may be sealed: half of the key is in the page, the other half in the answer.
func mokaJobs(ctx context.Context, client Doer, board string) func(turn) (page, error) {
	org, site, _ := strings.Cut(board, "/")
	home, vector := "", ""
	return func(at turn) (page, error) {
		if at.page == 0 {
			var err error
			if home, vector, err = mokaVector(ctx, client, board); err != nil {
				return page{}, err
			}
		}
		var sealed mokaEnvelope
		err := postJSON(ctx, client, "https://app.mokahr.com/api/outer/ats-apply/website/jobs/v2", map[string]any{
			"orgId": org, "siteId": json.Number(site), "limit": mokaSize, "offset": at.rows, "needStat": at.page == 0, "locale": "zh-CN",
		}, &sealed)
		if err != nil {
			return page{}, err
		}
		var list struct {
			Jobs []json.RawMessage `json:"jobs"`
		}
		if err := sealed.open(vector, &list); err != nil {
			return page{}, err
		}
		return pageOf(list.Jobs, 0, func(j mokaJob) (boardwatch.Posting, bool) { return j.posting(home), true })
	}
}

// mokaVector is the board's page, and what the page has of the key.
func mokaVector(ctx context.Context, client Doer, board string) (home, vector string, err error) {
	var document *goquery.Document
	for _, kind := range mokaPages {
		home = kind + board
		if document, err = getDocument(ctx, client, home); !isUnknown(err) {
			break
		}
	}
	if err != nil {
		return "", "", err
	}
	var state struct {
		Vector string `json:"aesIv"`
	}
	err = stateOf(document.Find("#init-data").First(), "value", &state)
	return home, state.Vector, err
}

// mokaEnvelope is an answer: data in the open, or sealed in a text.
type mokaEnvelope struct {
	Data json.RawMessage `json:"data"`
	Key  string          `json:"necromancer"`
}

func (e mokaEnvelope) open(vector string, into any) error {
	if len(e.Data) == 0 || string(e.Data) == "null" {
		return didf("answered without data")
	}
	if e.Key == "" {
		return decodeJSON(e.Data, into)
	}
	text, err := unquoted(string(e.Data))
	if err != nil {
		return err
	}
	document, err := unsealed(text, e.Key, vector)
	if err != nil {
		return didf("returned an answer that cannot be decrypted: %v", err)
	}
	var inner struct {
		Data json.RawMessage `json:"data"`
	}
	if err := decodeJSON(document, &inner); err != nil {
		return err
	}
	return decodeJSON(inner.Data, into)
}

// unsealed is what AES in CBC mode made a text of.
func unsealed(text, key, vector string) ([]byte, error) {
	sealed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("decode base64: %w", err)
	}
	block, err := aes.NewCipher([]byte(key))
	if err != nil {
		return nil, fmt.Errorf("use key: %w", err)
	}
	if len(vector) != aes.BlockSize || len(sealed) == 0 || len(sealed)%aes.BlockSize != 0 {
		return nil, errors.New("its length is wrong")
	}
	cipher.NewCBCDecrypter(block, []byte(vector)).CryptBlocks(sealed, sealed)
	padding := int(sealed[len(sealed)-1])
	if padding == 0 || padding > aes.BlockSize {
		return nil, errors.New("its end is wrong")
	}
	return sealed[:len(sealed)-padding], nil
}

func (j mokaJob) posting(home string) boardwatch.Posting {
	var places []string
	for _, l := range j.Locations {
		places = append(places, place(l.CityName, l.ProvinceName, l.Country))
	}
	p := boardwatch.Posting{
		Key: string(j.ID), Title: j.Title, Location: joinPlaces(places...),
		URL: home + "#/job/" + url.PathEscape(string(j.ID)),
	}
	var department any
	if json.Unmarshal(j.Department, &department) == nil {
		p.Department = linkedText(department, "name")
	}
	return p
}
