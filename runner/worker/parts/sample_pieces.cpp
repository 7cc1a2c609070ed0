#include "runner/worker/parts/sample_pieces.h"

#include <fmt/format.h>
#include <utility>

#include "core/base/error.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/folders.h"
#include "core/tensors/store/capture_layout.h"

namespace ulp::worker {
namespace {

std::filesystem::path pieceFile(const std::filesystem::path& folder,
                                std::string_view run,
                                std::uint64_t sample) {
  const std::filesystem::path name = tensors::runFileName(run);
  return folder / kPieceFolder / fmt::format("{}.{}.json", name.stem().string(), sample);
}

}  // namespace

Result<> writePiece(const std::filesystem::path& folder,
                    const report::Report& report,
                    std::uint64_t sample,
                    const SamplePiece& piece) {
  report::Report alone;
  alone.metrics = report.metrics;
  alone.reference = report.reference;
  if (piece.run.name != report.reference) {
    alone.runs.push_back({.name = report.reference});  // no report is without
  }
  alone.runs.push_back(piece.run);
  report::Run& run = alone.runs.back();
  run.samples = 1;
  run.logProbabilities =
      report::LogProbabilityError{.positions = piece.tops.rows, .sameTop = piece.tops.same};
  ULP_TRY(makeFolders(folder / kPieceFolder));
  return writeFileAtomically(pieceFile(folder, run.name, sample), report::toJson(alone));
}

Result<SamplePiece> readPiece(const std::filesystem::path& folder,
                              std::string_view run,
                              std::uint64_t sample) {
  const std::filesystem::path file = pieceFile(folder, run, sample);
  const std::string text = ULP_TRY(readTextFile(file));
  report::Report alone = ULP_TRY(report::parseReport(text, file.string()));
  if (alone.runs.empty() || alone.runs.back().name != run) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: is no piece of run '{}'; run its task again", file.string(), run));
  }
  SamplePiece piece{.run = std::move(alone.runs.back())};
  if (const auto& tops = piece.run.logProbabilities) {
    piece.tops = {.rows = tops->positions, .same = tops->sameTop};
  }
  piece.run.logProbabilities.reset();
  return piece;
}

}  // namespace ulp::worker
