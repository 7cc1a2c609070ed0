#include "core/remote/serving/tensor_shelf.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/base/list_of.h"
#include "core/json/dump.h"
#include "core/json/parse.h"
#include "core/remote/serving/job_watch.h"
#include "core/tensors/store/capture_layout.h"

namespace ulp::remote {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostOpened = 4;

json::Value captureJson(const tensors::StoredCapture& capture) {
  return json::Object{{"run", capture.run},
                      {"name", capture.site.name},
                      {"module", capture.site.module},
                      {"layer", capture.site.layer},
                      {"level", toString(capture.site.level)},
                      {"pass", toString(capture.site.pass)},
                      {"dtype", toString(capture.dtype)},
                      {"shape", capture.shape},
                      {"stride", capture.sampleStride}};
}

Result<tensors::StoredCapture> captureIn(const json::Value& value) {
  const auto level = parseLevel(value.at("level").text());
  const auto pass = parsePass(value.at("pass").text());
  const auto dtype = parseDType(value.at("dtype").text());
  if (!level || !pass || !dtype) {
    return fail(ErrorCode::CorruptData,
                "the host speaks of a tensor that this version cannot have");
  }
  return tensors::StoredCapture{
      .run = value.at("run").text(),
      .site = {value.at("name").text(),
               value.at("module").text(),
               static_cast<int>(value.at("layer").integer()),
               *level,
               *pass},
      .dtype = *dtype,
      .shape =
          listOf(value.at("shape").items(), [](const json::Value& each) { return each.integer(); }),
      .sampleStride =
          static_cast<std::uint64_t>(std::max<std::int64_t>(1, value.at("stride").integer()))};
}

}  // namespace

std::string capturesText(const tensors::CaptureReader& reader) {
  return json::dump(json::Object{{"captures", listOf(reader.captures(), captureJson)},
                                 {"problems", listOf(reader.problems(), [](const Error& problem) {
                                    return json::Value(problem.message());
                                  })}});
}

Result<ListedCaptures> capturesIn(std::string_view text) {
  const json::Value all = ULP_TRY(json::parseObject(text));
  ListedCaptures listed;
  for (const json::Value& each : all.at("captures").items()) {
    listed.captures.push_back(ULP_TRY(captureIn(each)));
  }
  for (const json::Value& each : all.at("problems").items()) {
    listed.problems.emplace_back(ErrorCode::CorruptData, each.text());
  }
  return listed;
}

Result<TensorShelf::Opened> TensorShelf::open(const fs::path& folder) {
  const std::string stamp = fileStamp(folder / tensors::kIndexFile);
  const auto known = std::ranges::find(m_opened, folder, &Opened::folder);
  if (known != m_opened.end() && known->stamp == stamp) {
    return *known;
  }
  Opened opened{folder, stamp, ULP_TRY(tensors::CaptureReader::open(folder))};
  if (known != m_opened.end()) {
    m_opened.erase(known);
  }
  m_opened.push_front(opened);
  if (m_opened.size() > kMostOpened) {
    m_opened.pop_back();
  }
  return opened;
}

Result<Frame> TensorShelf::captures(const fs::path& folder) {
  const Opened opened = ULP_TRY(open(folder));
  Frame answer{.head = json::Object{{"stamp", opened.stamp}},
               .bytes = capturesText(*opened.reader)};
  if (answer.bytes.size() > kLargestBytes) {
    return fail(ErrorCode::Unsupported,
                folder.string() + ": has more tensors than can be listed for another machine");
  }
  return answer;
}

Result<Frame> TensorShelf::tile(const fs::path& folder, const json::Value& question) {
  const Opened opened = ULP_TRY(open(folder));
  const auto index = static_cast<std::uint64_t>(question.at("index").integer());
  if (opened.stamp != question.at("stamp").text() || index >= opened.reader->captures().size()) {
    return fail(ErrorCode::InvalidArgument,
                folder.string() +
                    ": the tensors were replaced while they were looked at; open "
                    "the report again");
  }
  if (!m_held || m_held->reader != opened.reader || m_held->index != index) {
    m_held.reset();
    m_held =
        Held{opened.reader, index, ULP_TRY(opened.reader->read(opened.reader->captures()[index]))};
  }
  const auto bytes = m_held->tensor.view.bytes();
  const auto offset = static_cast<std::uint64_t>(question.at("offset").integer());
  const auto size = static_cast<std::uint64_t>(question.at("size").integer());
  if (offset > bytes.size() || size > bytes.size() - offset || size > kLargestBytes) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: has no such part of a tensor", folder.string()));
  }
  const auto part = bytes.subspan(offset, size);
  Frame answer{.head = json::Object{{"total", bytes.size()}},
               // NOLINTNEXTLINE(*-reinterpret-cast): bytes as they are
               .bytes = std::string(reinterpret_cast<const char*>(part.data()), part.size())};
  ULP_TRY(tensors::checkIntact(m_held->tensor));
  return answer;
}

}  // namespace ulp::remote
