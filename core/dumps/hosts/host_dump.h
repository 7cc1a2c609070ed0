#pragma once

#include <filesystem>
#include <stop_token>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"

namespace ulp::dumps {

/// Whether a path stands for a dump on a host.
[[nodiscard]] bool isHostDump(const std::filesystem::path& path);
/// Opens a dump on a host, of which remote::fetch() left but a mark here: its lists come when they
/// are asked for, and each tensor when it is read, as of the dump of this machine that it is there.
/// Errors: those of the importer there, and of a connection.
[[nodiscard]] Result<Dump> openHostDump(const std::filesystem::path& path,
                                        const std::stop_token& stop);

}  // namespace ulp::dumps
