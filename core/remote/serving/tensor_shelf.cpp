#include "core/remote/serving/tensor_shelf.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "core/base/list_of.h"
#include "core/json/dump.h"
#include "core/json/parse.h"
#include "core/remote/serving/job_watch.h"
#include "core/tensors/archive/byte_reader.h"
#include "core/tensors/store/capture_layout.h"

namespace ulp::remote {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostOpened = 4;
constexpr std::size_t kMostHeld = 4;

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
  auto reader = ULP_TRY(tensors::CaptureReader::open(folder));
  Opened opened{folder, stamp, std::move(reader)};
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

Result<tensors::Tensor> TensorShelf::tensor(const fs::path& folder, const json::Value& question) {
  const Opened opened = ULP_TRY(open(folder));
  const auto index = static_cast<std::uint64_t>(question.at("index").integer());
  if (opened.stamp != question.at("stamp").text() || index >= opened.reader->captures().size()) {
    return fail(ErrorCode::InvalidArgument,
                folder.string() +
                    ": the tensors were replaced while they were looked at; open "
                    "the report again");
  }
  const auto held = std::ranges::find_if(m_held, [&](const Held& each) {
    return each.reader == opened.reader && each.index == index;
  });
  if (held != m_held.end()) {
    return held->tensor;
  }
  tensors::Tensor read = ULP_TRY(opened.reader->read(opened.reader->captures()[index]));
  m_held.push_front({opened.reader, index, std::move(read)});
  if (m_held.size() > kMostHeld) {
    m_held.pop_back();
  }
  return m_held.front().tensor;
}

Result<Frame> piecesOf(const tensors::Tensor& tensor, const json::Value& question) {
  const auto all = tensors::textOf(tensor.view.bytes());
  const json::Array& pieces = question.at("pieces").items();
  Frame answer{.head = json::Object{{"total", all.size()}}};
  for (std::size_t i = 0; i + 1 < pieces.size(); i += 2) {
    const auto offset = static_cast<std::uint64_t>(pieces[i].integer());
    const auto size = static_cast<std::uint64_t>(pieces[i + 1].integer());
    if (offset > all.size() || size > all.size() - offset ||
        size > kLargestBytes - answer.bytes.size()) {
      return fail(ErrorCode::InvalidArgument, "there is no such part of a tensor");
    }
    answer.bytes += all.substr(offset, size);
  }
  ULP_TRY(tensors::checkIntact(tensor));
  return answer;
}

Result<Frame> pickedOf(const tensors::Tensor& tensor, const json::Value& question) {
  const auto all = tensors::textOf(tensor.view.bytes());
  const std::size_t item = itemSize(tensor.view.dtype);
  const auto count = static_cast<std::int64_t>(tensor.view.count());
  const std::int64_t rows = question.at("rows").integer();
  const std::int64_t columns = question.at("columns").integer();
  const auto most = static_cast<std::int64_t>(kLargestBytes / item);
  if (rows < 0 || columns < 0 || rows > most || columns > most ||
      (columns > 0 && rows > most / columns)) {
    return fail(ErrorCode::InvalidArgument, "there is no such part of a tensor");
  }
  Frame answer{.head = json::Object{{"total", all.size()}},
               .bytes = std::string(static_cast<std::size_t>(rows * columns) * item, '\0')};
  // Unsigned, so that nonsense wraps around and lies outside.
  const auto first = static_cast<std::uint64_t>(question.at("first").integer());
  const auto rowStep = static_cast<std::uint64_t>(question.at("row_step").integer());
  const auto columnStep = static_cast<std::uint64_t>(question.at("column_step").integer());
  char* to = answer.bytes.data();
  for (std::int64_t row = 0; row < rows; ++row) {
    std::uint64_t at = first + static_cast<std::uint64_t>(row) * rowStep;
    for (std::int64_t column = 0; column < columns; ++column, at += columnStep, to += item) {
      if (at < static_cast<std::uint64_t>(count)) {
        std::memcpy(to, all.data() + at * item, item);
      }
    }
  }
  ULP_TRY(tensors::checkIntact(tensor));
  return answer;
}

}  // namespace ulp::remote
