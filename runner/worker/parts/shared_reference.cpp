#include "runner/worker/parts/shared_reference.h"

#include <cstring>
#include <deque>
#include <fmt/format.h>
#include <memory>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/files/folders.h"
#include "core/base/text/parse_number.h"
#include "core/base/text/split.h"
#include "core/json/dump.h"
#include "core/json/parse.h"
#include "core/tensors/formats/safetensors/safetensors.h"

namespace ulp::worker {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTensor = "tensor";         // tensor/<micro-batch>/<site>
constexpr std::string_view kKeys = "keys";             // of rows of experts, as above
constexpr std::string_view kChosen = "chosen";         // chosen/<micro-batch>/<router>
constexpr std::string_view kMargins = "margins";       // as above
constexpr std::string_view kRouter = "router";         // as above: experts of a token, experts
constexpr std::string_view kClipUnits = "clip_units";  // by term of the loss
constexpr std::string_view kRegions = "clip_regions";  // clip_regions/0/<term>
constexpr std::string_view kStopped = "clip_stopped";  // as above
constexpr std::string_view kLoss = "loss";
constexpr std::string_view kLogProbabilities = "token_log_probabilities";
constexpr std::string_view kIsLabel = "is_label";
constexpr std::string_view kIdentity = "identity";  // by what has it, digests, as JSON
constexpr std::string_view kCode = "code";          // by path, digests of files, as JSON
constexpr std::string_view kMicroBatches = "micro_batches";

template <class Digests>
std::vector<std::uint8_t> textOf(const Digests& digests) {
  json::Object members;
  for (const auto& [of, digest] : digests) {
    members[of] = digest;
  }
  const std::string text = json::dump(members);
  return {text.begin(), text.end()};
}

template <class Value>
constexpr DType kTypeOf = std::is_same_v<Value, double>         ? DType::Float64
                          : std::is_same_v<Value, std::int64_t> ? DType::Int64
                          : std::is_same_v<Value, std::int8_t>  ? DType::Int8
                                                                : DType::UInt8;

/// The tensors of a file while it is put together, with what holds them.
class Parts {
 public:
  void add(std::string name, const engine::Capture& capture) {
    m_named.push_back({std::move(name), capture.view});
    m_held.push_back(capture);
  }
  template <class Value>
  void add(std::string name, const std::vector<Value>& values) {
    auto kept = std::make_shared<const std::vector<Value>>(values);
    engine::Capture capture;
    capture.view = {.data = kept->data(),
                    .dtype = kTypeOf<Value>,
                    .shape = {static_cast<std::int64_t>(kept->size())}};
    capture.owner = std::move(kept);
    add(std::move(name), capture);
  }
  [[nodiscard]] const std::vector<tensors::NamedTensor>& named() const { return m_named; }

 private:
  std::vector<tensors::NamedTensor> m_named;
  std::deque<engine::Capture> m_held;
};

std::string tensorName(std::string_view kind, std::size_t microBatch, std::string_view what) {
  return fmt::format("{}/{}/{}", kind, microBatch, what);
}

Result<> addCaptures(Parts& parts, const ReferenceCaptures& captures) {
  ULP_TRY(captures.visit([&parts](std::size_t microBatch,
                                  const std::string& site,
                                  const engine::Capture& capture) -> Result<> {
    const engine::Capture onHost = ULP_TRY(capture.onHost());
    parts.add(tensorName(kTensor, microBatch, site), onHost);
    if (capture.keys) {
      parts.add(tensorName(kKeys, microBatch, site), *capture.keys);
    }
    return {};
  }));
  captures.choices().visit(
      [&parts](const std::string& router, std::size_t microBatch, const ChosenExperts& chosen) {
        parts.add(tensorName(kChosen, microBatch, router), chosen.sorted);
        parts.add(tensorName(kMargins, microBatch, router), chosen.margins);
        parts.add(tensorName(kRouter, microBatch, router),
                  std::vector<std::int64_t>{static_cast<std::int64_t>(chosen.ofToken),
                                            static_cast<std::int64_t>(chosen.experts)});
      });
  return {};
}

void addOutcome(Parts& parts, const engine::RunOutcome& outcome) {
  std::vector<std::uint8_t> units;
  for (std::size_t i = 0; i < outcome.terms.size(); ++i) {
    const engine::ClipDecisions& clips = outcome.terms[i].clips;
    units.push_back(static_cast<std::uint8_t>(clips.unit));
    parts.add(tensorName(kRegions, 0, std::to_string(i)), clips.region);
    parts.add(tensorName(kStopped, 0, std::to_string(i)), clips.stopped);
  }
  parts.add(std::string(kClipUnits), units);
  parts.add(std::string(kLoss), std::vector<double>{outcome.loss});
  parts.add(std::string(kLogProbabilities), outcome.tokens.logProbabilities);
  parts.add(std::string(kIsLabel), outcome.tokens.isLabel);
}

class ReferenceFile {
 public:
  explicit ReferenceFile(tensors::TensorArchivePtr archive) : m_archive(std::move(archive)) {}

  template <class Value>
  [[nodiscard]] Result<std::vector<Value>> values(std::string_view name) const {
    const tensors::Tensor tensor = ULP_TRY(m_archive->read(name));
    if (tensor.view.dtype != kTypeOf<Value>) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: '{}' has another type", m_archive->path().string(), name));
    }
    std::vector<Value> values(tensor.view.count());
    if (!values.empty()) {
      std::memcpy(values.data(), tensor.view.data, values.size() * sizeof(Value));
    }
    return values;
  }

  [[nodiscard]] Result<> check(const ReferenceIdentity& identity) const {
    const auto made = ULP_TRY(digests<ReferenceIdentity>(kIdentity));
    for (const auto& [of, digest] : identity) {
      if (const auto known = made.find(of); known == made.end() || known->second != digest) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{}: the {} changed since it was made; undo the change, "
                                "or submit the study to another folder",
                                m_archive->path().string(),
                                of));
      }
    }
    return {};
  }

  [[nodiscard]] Result<> restore(ReferenceCaptures& captures) const {
    const auto counts = ULP_TRY(values<std::int64_t>(kMicroBatches));
    const std::size_t count = counts.empty() ? 0 : static_cast<std::size_t>(counts.front());
    for (const tensors::TensorInfo& info : m_archive->tensors()) {
      const auto parts = split(info.name, '/');
      const auto microBatch = parts.size() < 3 ? std::nullopt : parseNumber<std::size_t>(parts[1]);
      if (!microBatch || *microBatch >= count) {
        continue;
      }
      const std::string what = info.name.substr(parts[0].size() + parts[1].size() + 2);
      if (parts[0] == kTensor) {
        ULP_TRY(restoreTensor(captures, {*microBatch, count}, what));
      } else if (parts[0] == kRouter) {
        ULP_TRY(restoreChoice(captures, *microBatch, what));
      }
    }
    return {};
  }

  [[nodiscard]] Result<engine::RunOutcome> outcome() const {
    engine::RunOutcome outcome;
    const auto loss = ULP_TRY(values<double>(kLoss));
    outcome.loss = loss.empty() ? 0 : loss.front();
    outcome.codeFiles = ULP_TRY(digests<decltype(outcome.codeFiles)>(kCode));
    outcome.tokens.logProbabilities = ULP_TRY(values<double>(kLogProbabilities));
    outcome.tokens.isLabel = ULP_TRY(values<std::uint8_t>(kIsLabel));
    const auto units = ULP_TRY(values<std::uint8_t>(kClipUnits));
    for (std::size_t i = 0; i < units.size(); ++i) {
      engine::ClipDecisions& clips = outcome.terms.emplace_back().clips;
      clips.unit = static_cast<engine::ClipDecisions::Unit>(units[i]);
      clips.region = ULP_TRY(values<std::int8_t>(tensorName(kRegions, 0, std::to_string(i))));
      clips.stopped = ULP_TRY(values<std::uint8_t>(tensorName(kStopped, 0, std::to_string(i))));
    }
    return outcome;
  }

 private:
  template <class Digests>
  [[nodiscard]] Result<Digests> digests(std::string_view name) const {
    const auto text = ULP_TRY(values<std::uint8_t>(name));
    const auto object = ULP_TRY(json::parseObject(
        std::string_view(reinterpret_cast<const char*>(text.data()), text.size())));
    Digests digests;
    for (const auto& [of, digest] : object.members()) {
      digests.emplace(of, digest.text());
    }
    return digests;
  }

  [[nodiscard]] Result<> restoreTensor(ReferenceCaptures& captures,
                                       const PartIndex& at,
                                       const std::string& site) const {
    tensors::Tensor tensor = ULP_TRY(m_archive->read(tensorName(kTensor, at.index, site)));
    engine::Capture capture{.view = tensor.view, .owner = std::move(tensor.owner)};
    if (has(tensorName(kKeys, at.index, site))) {
      auto keys = ULP_TRY(values<std::int64_t>(tensorName(kKeys, at.index, site)));
      capture.keys = std::make_shared<const std::vector<std::int64_t>>(std::move(keys));
    }
    captures.restore(site, std::move(capture), at);
    return {};
  }

  [[nodiscard]] Result<> restoreChoice(ReferenceCaptures& captures,
                                       std::size_t microBatch,
                                       const std::string& router) const {
    const auto numbers = ULP_TRY(values<std::int64_t>(tensorName(kRouter, microBatch, router)));
    ChosenExperts chosen;
    chosen.sorted = ULP_TRY(values<std::int64_t>(tensorName(kChosen, microBatch, router)));
    chosen.margins = ULP_TRY(values<double>(tensorName(kMargins, microBatch, router)));
    if (numbers.size() != 2 || numbers[0] < 0 ||
        chosen.sorted.size() != static_cast<std::size_t>(numbers[0]) * chosen.margins.size()) {
      return fail(ErrorCode::CorruptData,
                  fmt::format("{}: the choices of '{}' do not belong together",
                              m_archive->path().string(),
                              router));
    }
    chosen.ofToken = static_cast<std::size_t>(numbers[0]);
    chosen.experts = static_cast<std::uint64_t>(numbers[1]);
    captures.choices().restore(router, microBatch, std::move(chosen));
    return {};
  }

  [[nodiscard]] bool has(std::string_view name) const { return m_archive->read(name).has_value(); }

  tensors::TensorArchivePtr m_archive;
};

}  // namespace

ReferenceIdentity identityOf(const report::Provenance& made,
                             const FileDigests::ByKey& files,
                             std::uint64_t sample) {
  ReferenceIdentity identity{{"weights", made.weightsDigest},
                             {"tokens", made.tokenDigest},
                             {"number of the sample", std::to_string(sample)}};
  for (const auto& [key, digest] : files) {
    identity.emplace("content of " + key, digest);
  }
  return identity;
}

fs::path referenceFile(const fs::path& folder, std::uint64_t sample) {
  return folder / fmt::format("{:06}.safetensors", sample);
}

Result<> writeReference(const fs::path& folder,
                        std::uint64_t sample,
                        const ReferenceIdentity& identity,
                        const ReferenceCaptures& captures,
                        const engine::RunOutcome& outcome) {
  Parts parts;
  ULP_TRY(addCaptures(parts, captures));
  addOutcome(parts, outcome);
  parts.add(std::string(kIdentity), textOf(identity));
  parts.add(std::string(kCode), textOf(outcome.codeFiles));
  parts.add(std::string(kMicroBatches),
            std::vector<std::int64_t>{static_cast<std::int64_t>(captures.microBatches())});
  ULP_TRY(makeFolders(folder));
  return tensors::writeSafetensors(referenceFile(folder, sample), parts.named());
}

Result<engine::RunOutcome> readReference(const fs::path& folder,
                                         std::uint64_t sample,
                                         const ReferenceIdentity& identity,
                                         ReferenceCaptures& captures) {
  const fs::path name = referenceFile(folder, sample);
  std::error_code ignored;
  if (!fs::exists(name, ignored)) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: the task that runs the reference for all has not written it; "
                            "ulpscope-cli submit RUN --again runs it first",
                            name.string()));
  }
  auto archive = tensors::openSafetensors(name);
  if (!archive) {
    return fail(archive.error().code(),
                archive.error().message() +
                    "; remove the file, and ulpscope-cli submit RUN --again makes it again");
  }
  const ReferenceFile file(*std::move(archive));
  ULP_TRY(file.check(identity));
  ULP_TRY(file.restore(captures));
  return file.outcome();
}

}  // namespace ulp::worker
