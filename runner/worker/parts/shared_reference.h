#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "core/base/result.h"
#include "core/engine/engine.h"
#include "core/report/model/report.h"
#include "runner/worker/capture/capture_observers.h"
#include "runner/worker/input/file_digests.h"

/// What the reference made on a sample, in a file that the tasks of a study share, so that one of
/// them runs it for all: its tensors, what its routers chose, loss, clip decisions,
/// log-probabilities and the code that it ran. A .safetensors file, which appears when it is
/// complete.
namespace ulp::worker {

/// Which reference it is: digests of its weights, of its tokens, and of the files that its settings
/// name, by what has the digest.
using ReferenceIdentity = std::map<std::string, std::string, std::less<>>;

[[nodiscard]] ReferenceIdentity identityOf(const report::Provenance& made,
                                           const FileDigests::ByKey& files,
                                           std::uint64_t sample);

/// Where the file of a sample is.
[[nodiscard]] std::filesystem::path referenceFile(const std::filesystem::path& folder,
                                                  std::uint64_t sample);

/// Writes the file of a sample; `captures` hold all tensors (ReferenceCaptures::holdAll()). Errors:
/// Io; Device, OutOfMemory where tensors lie on a device.
[[nodiscard]] Result<> writeReference(const std::filesystem::path& folder,
                                      std::uint64_t sample,
                                      const ReferenceIdentity& identity,
                                      const ReferenceCaptures& captures,
                                      const engine::RunOutcome& outcome);

/// Maps the file of a sample into `captures`, and gives what comparisons need of the outcome beside
/// them. Errors: NotFound where it is not there, with the remedy; InvalidArgument for another
/// reference; CorruptData; Io.
[[nodiscard]] Result<engine::RunOutcome> readReference(const std::filesystem::path& folder,
                                                       std::uint64_t sample,
                                                       const ReferenceIdentity& identity,
                                                       ReferenceCaptures& captures);

}  // namespace ulp::worker
