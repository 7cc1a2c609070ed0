#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/remote/hosts/host.h"

namespace ulp::remote {

/// Of this program.
[[nodiscard]] std::string_view ownVersion();

struct InstallOptions {
  std::filesystem::path archive{};  ///< empty: findArchive()
  int wake = -1;                    ///< as in ConnectOptions
};

/// The headless bundle of this version (ulpscope-headless-VERSION-linux-x86_64.tar.xz): where
/// $ULP_HEADLESS says, beside this program, or in ../share/ulpscope. Error: NotFound with where it
/// was looked for and the remedy.
[[nodiscard]] Result<std::filesystem::path> findArchive();

/// Unpacks the bundle on a host into ~/.local/share/ulpscope/VERSION, where a connection finds it.
/// It appears there as a whole, once its program has said its version; one that was there before
/// goes. Errors: those of findArchive() and of a connection; Unsupported, the bundle does not run
/// there, or is of another version.
[[nodiscard]] Result<> install(const Host& host, const InstallOptions& options = {});

/// What the shell of the host does with the bundle on its standard input.
[[nodiscard]] std::string installScript(std::string_view version);

}  // namespace ulp::remote
