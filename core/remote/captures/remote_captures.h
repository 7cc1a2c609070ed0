#pragma once

#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "core/tensors/store/capture_reader.h"

namespace ulp::remote {

/// Whether the tensors of a run folder are on a host: it has remote.json and no tensors.h5.
[[nodiscard]] bool hasRemoteCaptures(const std::filesystem::path& folder);

/// Opens the tensors that a run kept, wherever they are: CaptureReader::open(), and for those on a
/// host one that reads there what is asked for (RemoteTensor), which is kept in the cache for the
/// next time. Errors: those of CaptureReader::open(), of remote.json, and of a connection, which
/// reading has as well.
[[nodiscard]] Result<std::shared_ptr<const tensors::CaptureReader>> openCaptures(
    const std::filesystem::path& path);

}  // namespace ulp::remote
