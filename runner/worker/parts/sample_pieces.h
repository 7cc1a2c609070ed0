#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/base/result.h"
#include "core/numerics/comparison/top_agreement.h"
#include "core/report/model/report.h"

namespace ulp::worker {

/// The folder of pieces in the run folder of a part.
inline constexpr std::string_view kPieceFolder = "pieces";

/// What one run gave on one sample, before it is merged with that of others.
struct SamplePiece {
  report::Run run;
  numerics::TopAgreement tops{};  ///< of the logits
};

/// Keeps a piece of a part of the study whose report this is: a report of one run and one sample.
/// Errors: Io.
[[nodiscard]] Result<> writePiece(const std::filesystem::path& folder,
                                  const report::Report& report,
                                  std::uint64_t sample,
                                  const SamplePiece& piece);
/// Reads it back, to the bit. Errors, with the remedy: those of report::loadReport(); CorruptData
/// for one of another run or sample, or of a study that is not that of `report`.
[[nodiscard]] Result<SamplePiece> readPiece(const std::filesystem::path& folder,
                                            const report::Report& report,
                                            std::string_view run,
                                            std::uint64_t sample);

}  // namespace ulp::worker
