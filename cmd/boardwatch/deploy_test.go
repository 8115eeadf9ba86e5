package main_test

import (
	"encoding/json"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
)

func deployed(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(raw)
}

// What containers and systemd are told has to be what the program understands: a variable that means nothing stops it.
func TestWhatDeploysNamesSettingsThatExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"BOARDWATCH_CONFIG": true}
	for _, s := range main.SettingDocs() {
		known[s.Variable] = true
		if s.Secret {
			known[s.Variable+"_FILE"] = true
		}
	}
	for _, name := range []string{
		"Dockerfile", "compose.yaml", "deploy/boardwatch.service", "docs/self-hosting.md",
		"deploy/package/secrets.env", "deploy/kubernetes.yaml", "deploy/chart/boardwatch/templates/_helpers.tpl",
		"deploy/chart/boardwatch/templates/deployments.yaml", "deploy/chart/boardwatch/values.schema.json",
	} {
		found := regexp.MustCompile(`BOARDWATCH_[A-Z_]+`).FindAllString(deployed(t, name), -1)
		require.NotEmpty(t, found, name)
		for _, variable := range found {
			require.True(t, known[variable], "%s: %s is no setting", name, variable)
		}
	}
}

func TestWhatDeploysRunsCommandsThatExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, c := range main.CommandDocs() {
		known[c.Path] = true
	}
	for _, command := range []string{"serve", "health"} {
		require.True(t, known["boardwatch "+command])
	}
	image := deployed(t, "Dockerfile")
	_, plain, ok := strings.Cut(image, "FROM scratch AS plain\n")
	require.True(t, ok)
	plain, chromium, ok := strings.Cut(plain, "FROM docker.io/library/debian:bookworm-slim AS chromium\n")
	require.True(t, ok)
	require.Contains(t, plain, `ENTRYPOINT ["boardwatch"]`)
	require.Contains(t, plain, "BOARDWATCH_BROWSER_MODE=never", "it has none, so doctor misses none")
	require.Contains(t, chromium, `ENTRYPOINT ["tini", "--", "boardwatch"]`)
	for _, target := range []string{plain, chromium} {
		require.Contains(t, target, `CMD ["serve"]`)
		require.Contains(t, target, `CMD ["boardwatch", "health"]`)
		require.Regexp(t, `(?m)^USER [1-9]\d*:[1-9]\d*$`, target, "a number, so that Kubernetes can see that it is not root")
	}
	require.Regexp(t, `(?m)^ExecStart=/usr/local/bin/boardwatch serve$`, deployed(t, "deploy/boardwatch.service"))
}

// Kubernetes would otherwise set variables in every pod that look like settings.
func TestPodsAreNotToldOfServices(t *testing.T) {
	t.Parallel()
	require.Contains(t, deployed(t, "deploy/chart/boardwatch/templates/_helpers.tpl"), "\nenableServiceLinks: false")
	pods := strings.Count(deployed(t, "deploy/kubernetes.yaml"), "\n      containers:")
	require.Equal(t, 3, pods)
	require.Equal(t, pods, strings.Count(deployed(t, "deploy/kubernetes.yaml"), "\n      enableServiceLinks: false"))
}

func TestComposeKeepsItsSecretsInFiles(t *testing.T) {
	t.Parallel()
	var file struct {
		Services map[string]struct {
			Environment map[string]string `yaml:"environment"`
			Secrets     []string          `yaml:"secrets"`
			Command     []string          `yaml:"command"`
			Image       string            `yaml:"image"`
			Build       struct{ Target string }
			ReadOnly    bool     `yaml:"read_only"`    //nolint:tagliatelle // names of compose
			CapDrop     []string `yaml:"cap_drop"`     //nolint:tagliatelle // names of compose
			SecurityOpt []string `yaml:"security_opt"` //nolint:tagliatelle // names of compose
		} `yaml:"services"`
		Secrets map[string]struct {
			File string `yaml:"file"`
		} `yaml:"secrets"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(deployed(t, "compose.yaml")), &file))
	require.Len(t, file.Services, 4)
	for name, s := range file.Services {
		for key, value := range s.Environment {
			require.NotRegexp(t, `(PASSWORD|_KEY|_DATABASE|SMTP_URL)$`, key, "%s: a secret belongs into a file", name)
			if path, ok := strings.CutPrefix(value, "/run/secrets/"); ok {
				require.True(t, strings.HasSuffix(key, "_FILE"), key)
				require.Contains(t, s.Secrets, path, name)
			}
		}
		for _, secret := range s.Secrets {
			require.NotEmpty(t, file.Secrets[secret].File, "%s: %s is not declared", name, secret)
		}
		if name == "db" {
			continue
		}
		require.True(t, s.ReadOnly, name)
		require.Equal(t, []string{"ALL"}, s.CapDrop, name)
		require.Contains(t, s.SecurityOpt, "no-new-privileges:true", name)
		if name != "mail" {
			require.Equal(t, "serve", s.Command[0])
		}
	}
	require.Equal(t, "plain", file.Services["api"].Build.Target)
	require.Equal(t, "chromium", file.Services["worker"].Build.Target, "who reads boards needs the browser")
}

// What comes in by a published port seems to come from the gateway, so that is who has to be trusted to say who asks.
func TestComposeTrustsItsGateway(t *testing.T) {
	t.Parallel()
	var file struct {
		Services map[string]struct {
			Environment map[string]string `yaml:"environment"`
		} `yaml:"services"`
		Networks map[string]struct {
			IPAM struct {
				Config []struct{ Subnet, Gateway string } `yaml:"config"`
			} `yaml:"ipam"`
		} `yaml:"networks"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(deployed(t, "compose.yaml")), &file))
	require.Len(t, file.Networks["default"].IPAM.Config, 1)
	network := file.Networks["default"].IPAM.Config[0]
	require.Equal(t, "${BOARDWATCH_TRUSTED_PROXIES:-"+network.Gateway+"}", file.Services["api"].Environment["BOARDWATCH_TRUSTED_PROXIES"])
	subnet, err := netip.ParsePrefix(network.Subnet)
	require.NoError(t, err)
	gateway, err := netip.ParseAddr(network.Gateway)
	require.NoError(t, err)
	require.True(t, subnet.Contains(gateway))
}

func TestTheSeccompProfileIsOne(t *testing.T) {
	t.Parallel()
	var profile struct {
		DefaultAction string `json:"defaultAction"`
		Syscalls      []struct {
			Names  []string `json:"names"`
			Action string   `json:"action"`
		} `json:"syscalls"`
	}
	require.NoError(t, json.Unmarshal([]byte(deployed(t, "deploy/seccomp.json")), &profile))
	require.Equal(t, "SCMP_ACT_ALLOW", profile.DefaultAction)
	for _, denied := range []string{"bpf", "kexec_load", "mount", "init_module", "perf_event_open", "open_by_handle_at", "keyctl", "userfaultfd"} {
		require.Contains(t, profile.Syscalls[0].Names, denied)
	}
	for _, needed := range []string{"clone", "clone3", "unshare", "chroot", "seccomp", "setns"} {
		require.NotContains(t, profile.Syscalls[0].Names, needed, "Chromium's sandbox needs it")
	}
}

// A release is built in two ways; both have to stamp the same facts, for the same platforms.
func TestBothWaysToReleaseAgree(t *testing.T) {
	t.Parallel()
	var release struct {
		Builds []struct {
			Goos, Goarch, Ldflags, Flags, Env []string
		}
		NFPMs []nativePackage `yaml:"nfpms"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(deployed(t, ".goreleaser.yaml")), &release))
	script := deployed(t, "scripts/release.sh")
	build := release.Builds[0]
	for _, system := range build.Goos {
		for _, arch := range build.Goarch {
			require.Contains(t, script, system+"/"+arch)
		}
	}
	for _, name := range []string{"version", "commit", "date"} {
		fact := "-X github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build." + name + "="
		require.Contains(t, build.Ldflags[0], fact)
		require.Contains(t, script, fact)
		require.Contains(t, deployed(t, "Dockerfile"), fact)
		require.Contains(t, deployed(t, "Makefile"), fact)
	}
	require.Equal(t, []string{"CGO_ENABLED=0"}, build.Env)
	for _, file := range []string{"LICENSE", "CHANGELOG.md", "licences.txt", "completions", "man", "boardwatch.service"} {
		require.Contains(t, deployed(t, ".goreleaser.yaml"), file)
		require.Contains(t, script, file)
	}
	var own nativePackage
	require.NoError(t, yaml.Unmarshal([]byte(deployed(t, "deploy/package/nfpm.yaml")), &own))
	require.Equal(t, "/usr/bin/boardwatch", own.Contents[0].To, "goreleaser puts the program there by itself")
	own.Contents = own.Contents[1:]
	for i, c := range own.Contents {
		own.Contents[i].From = strings.Replace(c.From, "dist/files/", ".cache/release/files/", 1)
	}
	require.Equal(t, own, release.NFPMs[0])
}

// nativePackage is what a .deb and an .rpm contain, and what runs when they are installed.
type nativePackage struct {
	Section, License, Maintainer, Homepage, Description string
	Recommends                                          []string
	Contents                                            []struct {
		From     string `yaml:"src"`
		To       string `yaml:"dst"`
		Type     string
		Packager string
		FileInfo struct{ Mode int } `yaml:"file_info"` //nolint:tagliatelle // a name of nfpm
	}
	Scripts map[string]string
}

// A package gives the service a user of its own, which systemd would otherwise make up at each start.
func TestThePackagesUnitIsTheOthers(t *testing.T) {
	t.Parallel()
	unit, script := deployed(t, "deploy/boardwatch.service"), deployed(t, "scripts/release-files.sh")
	for _, replaced := range []string{"/usr/local/bin/", "DynamicUser=yes"} {
		require.Contains(t, unit, replaced)
		require.Contains(t, script, replaced)
	}
	require.Contains(t, deployed(t, "deploy/package/postinstall.sh"), "useradd --system --user-group --home-dir /var/lib/boardwatch")
}

// Workflows run what everybody can run: a step is a target of the Makefile, and has no commands of its own beside it.
func TestWorkflowsRunTheMakefile(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", ".github", "workflows", "*.yaml"))
	require.NoError(t, err)
	require.Len(t, files, 3)
	makefile, targets := deployed(t, "Makefile"), 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		var workflow struct {
			Permissions map[string]string
			Jobs        map[string]struct {
				TimeoutMinutes int                    `yaml:"timeout-minutes"` //nolint:tagliatelle // a name of GitHub
				Steps          []struct{ Run string } `yaml:"steps"`
			}
		}
		require.NoError(t, yaml.Unmarshal(raw, &workflow), file)
		require.NotEmpty(t, workflow.Permissions, "%s says what its token may do", file)
		for name, job := range workflow.Jobs {
			require.Positive(t, job.TimeoutMinutes, name)
			for _, step := range job.Steps {
				for _, m := range regexp.MustCompile(`\bmake ([a-z-]+)`).FindAllStringSubmatch(step.Run, -1) {
					require.Contains(t, makefile, "\n"+m[1]+":", file)
					targets++
				}
				require.NotRegexp(t, `\bgo (build|test|run|vet)\b|scripts/`, step.Run, "%s: that belongs into the Makefile", file)
			}
		}
	}
	require.GreaterOrEqual(t, targets, 5)
}
