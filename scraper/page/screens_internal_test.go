package page

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHidingClass(t *testing.T) {
	t.Parallel()
	for class, hides := range map[string]bool{
		"": false, "job": false, "hidden": true, "job hidden": true, "d-none": true, "hide": true, "sr-only": true, "is-hidden": true,
		"hidden md:flex": false, "hidden md:hidden": true, "md:hidden": false, "sm:hidden": false, "block md:hidden": false,
		"max-md:hidden": false, "max-md:hidden md:hidden": true, "max-lg:hidden lg:hidden": true, "hidden lg:block xl:hidden": false,
		"hidden group-open:block": false, "hidden hover:block": false, "!hidden": true, "print:hidden": false, "hidden print:block": true,
		"d-none d-lg-block": false, "d-md-none": false, "d-none d-md-none": true, "d-lg-none d-none": true,
		"d-none d-sm-block d-md-none": false, "d-block d-md-none": false,
		"hidden-xs": false, "hidden-xs hidden-sm": false, "hidden-xs hidden-sm hidden-md": false,
		"hidden-xs hidden-sm hidden-md hidden-lg": true, "vc_hidden-lg vc_hidden-md vc_hidden-sm vc_hidden-xs": true,
		"visible-xs": false, "visible-xs-block visible-sm-block": false, "visible-xs hidden-xs": true,
		"hide-for-small-only hide-for-medium": true, "hide-for-small-only hide-for-medium-only hide-for-large": true,
		"hide-for-medium": false, "hide-for-large": false, "show-for-large": false, "show-for-medium-only hide-for-medium": true, "hide-for-small": true,
		"elementor-hidden-desktop": false, "elementor-hidden-desktop elementor-hidden-tablet": false,
		"elementor-hidden-desktop elementor-hidden-tablet elementor-hidden-mobile": true,
		"elementor-hidden-desktop elementor-hidden-tablet elementor-hidden-phone":  true,
		"elementor-hidden-tablet elementor-hidden-mobile":                          false,
		"is-hidden-mobile": false, "is-hidden-mobile is-hidden-tablet": true, "is-hidden-touch is-hidden-desktop": true,
		"is-hidden-mobile is-hidden-tablet-only": false, "is-hidden-tablet-only is-hidden-mobile is-hidden-desktop": true,
		"fusion-no-small-visibility fusion-no-medium-visibility fusion-no-large-visibility": true,
		"fusion-no-small-visibility fusion-no-medium-visibility":                            false,
		"hidden-phone hidden-tablet hidden-desktop":                                         true, "hide-on-mobile hide-on-tablet hide-on-desktop": true,
		"hide-mobile": false, "et_pb_hide_mobile et_pb_hide_tablet et_pb_hide_desktop": true,
		"mobile-only": false, "desktop-hidden tablet-hidden mobile-hidden": true,
	} {
		got, _ := hidingClass(class)
		require.Equal(t, hides, got, class)
	}
}
