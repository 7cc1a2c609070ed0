#pragma once

namespace ulp {

/// Opens those libraries of ../lib/spare that this machine does not have itself, so that whatever
/// is opened later finds them loaded. Packages bring what belongs to the desktop (OpenGL, X11,
/// fonts) so: a machine's own copies fit its drivers, and come first. Points FONTCONFIG_FILE at
/// ../share/fonts/fonts.conf where the machine has no configuration of fonts. Does nothing in a
/// build, which has no such folders. Call before any thread starts.
void openSpareLibraries();

}  // namespace ulp
