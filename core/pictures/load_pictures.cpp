#include "core/base/files/plugin_library.h"
#include "core/base/files/spare_libraries.h"
#include "core/pictures/pictures.h"
#include "core/pictures/pictures_abi.h"

namespace ulp::pictures {

Result<std::shared_ptr<Pictures>> loadPictures() {
  const PluginLibrary library{
      .what = "picture library",
      .file = kPicturesLibraryName,
      .variable = kPicturesLibraryVariable,
      .symbol = kCreatePicturesSymbol,
      .remedy =
          "pictures need a build with Qt: configure with ULP_GUI=ON, or install the window "
          "of Ulpscope; tables are written without it (--format csv, xlsx, md, latex, json)"};
  openSpareLibraries();
  const auto plugin = ULP_TRY(openPlugin(library));
  auto* const create = reinterpret_cast<CreatePictures*>(plugin.entry);
  std::unique_ptr<Pictures> pictures;
  if (!create(picturesFingerprint(), &pictures) || pictures == nullptr) {
    return tl::unexpected<Error>(otherVersion(plugin, library));
  }
  return std::shared_ptr<Pictures>(std::move(pictures));
}

}  // namespace ulp::pictures
