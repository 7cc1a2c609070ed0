#include "runner/worker/parts/sample_pieces.h"

#include <fmt/format.h>
#include <utility>

#include "core/base/digest/sha256.h"
#include "core/base/error.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/folders.h"
#include "core/json/dump.h"
#include "core/json/parse.h"
#include "core/tensors/store/capture_layout.h"

namespace ulp::worker {
namespace {

constexpr std::string_view kPieceIdentity = "piece";

std::filesystem::path pieceFile(const std::filesystem::path& folder,
                                std::string_view run,
                                std::uint64_t sample) {
  const std::filesystem::path name = tensors::runFileName(run);
  return folder / kPieceFolder / fmt::format("{}.{}.json", name.stem().string(), sample);
}

/// Of what study, run and sample a piece is.
Result<std::string> identityOf(const report::Report& report,
                               std::string_view run,
                               std::uint64_t sample) {
  const report::Provenance& made = report.provenance;
  return sha256(fmt::format(
      "{} {} {} {} {}", made.weightsDigest, made.tokenDigest, sample, run, report.effectiveJson));
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
  const std::string identity = ULP_TRY(identityOf(report, run.name, sample));
  alone.extraJson = json::dump(json::Object{{std::string(kPieceIdentity), identity}});
  ULP_TRY(makeFolders(folder / kPieceFolder));
  return writeFileAtomically(pieceFile(folder, run.name, sample), report::toJson(alone));
}

Result<SamplePiece> readPiece(const std::filesystem::path& folder,
                              const report::Report& report,
                              std::string_view run,
                              std::uint64_t sample) {
  const std::filesystem::path file = pieceFile(folder, run, sample);
  const auto unusable = [&](const Error& error) {
    return fail(
        error.code(),
        fmt::format(
            "{}; remove the folder {} and make its task again", error.message(), folder.string()));
  };
  const auto text = readTextFile(file);
  if (!text) {
    return unusable(text.error());
  }
  auto alone = report::parseReport(*text, file.string());
  if (!alone) {
    return unusable(alone.error());
  }
  const auto extra = json::parseObject(alone->extraJson.empty() ? "{}" : alone->extraJson);
  const std::string identity = ULP_TRY(identityOf(report, run, sample));
  if (alone->runs.empty() || alone->runs.back().name != run || !extra ||
      extra->at(kPieceIdentity).text() != identity) {
    return unusable(
        {ErrorCode::CorruptData,
         fmt::format(
             "{}: is not what '{}' gave on sample {} in this study", file.string(), run, sample)});
  }
  SamplePiece piece{.run = std::move(alone->runs.back())};
  if (const auto& tops = piece.run.logProbabilities) {
    piece.tops = {.rows = tops->positions, .same = tops->sameTop};
  }
  piece.run.logProbabilities.reset();
  return piece;
}

}  // namespace ulp::worker
