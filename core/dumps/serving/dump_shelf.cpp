#include "core/dumps/serving/dump_shelf.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/base/stop_scope.h"
#include "core/dumps/hosts/unit_json.h"
#include "core/dumps/importers/importer.h"
#include "core/remote/serving/job_watch.h"
#include "core/tensors/archive/zip_directory.h"

namespace ulp::dumps {
namespace {

constexpr std::size_t kMostDumps = 4;
constexpr std::size_t kMostTensors = 4;
/// Of a unit's text that goes through at once.
constexpr std::uint64_t kTextAtOnce = std::uint64_t{16} << 20;

/// Another text where the elements are others: who keeps them elsewhere asks by it.
std::string stateOf(const tensors::Tensor& tensor) {
  if (tensor.file != nullptr) {
    const auto offset = tensor.view.bytes().data() - tensor.file->bytes().data();
    return fmt::format(
        "{}@{}:{}", remote::fileStamp(tensor.file->path()), offset, tensor.file->path().string());
  }
  return fmt::format("{:08x}", tensors::zipChecksum(tensor.view.bytes()));
}

}  // namespace

Result<remote::Frame> DumpShelf::answer(const json::Value& question) {
  const std::string& ask = question.at("ask").text();
  if (ask == "dump") {
    return dump(question.at("path").text());
  }
  if (ask == "unit") {
    return unit(question);
  }
  const Held* const found = ULP_TRY(held(question));
  return remote::Frame{.head = json::Object{{"dtype", toString(found->tensor.view.dtype)},
                                            {"shape", found->tensor.view.shape},
                                            {"state", found->state}}};
}

Result<remote::Frame> DumpShelf::dump(const std::filesystem::path& path) {
  // Who opens it anew wants what is there now.
  std::erase_if(m_opened, [&](const Opened& each) { return each.path == path; });
  std::erase_if(m_held, [](const Held&) { return true; });
  const Opened* const made = ULP_TRY(opened(path));
  return remote::Frame{.head = json::Object{{"dump", dumpJson(*made->dump)}}};
}

Result<DumpShelf::Opened*> DumpShelf::opened(const std::filesystem::path& path) {
  const auto known = std::ranges::find(m_opened, path, &Opened::path);
  if (known != m_opened.end()) {
    return &*known;
  }
  DumpPtr dump = ULP_TRY(openDump(path, currentStop()));
  m_opened.push_front({.path = path, .dump = std::move(dump)});
  if (m_opened.size() > kMostDumps) {
    m_opened.pop_back();
  }
  return &m_opened.front();
}

Result<DumpUnitPtr> DumpShelf::unitOf(Opened& opened, const json::Value& question) {
  const auto number = static_cast<std::size_t>(question.at("unit").integer());
  if (number >= opened.dump->units.size()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{}: has no such unit any more; open it again", opened.path.string()));
  }
  DumpUnitPtr& unit = opened.units[number];
  if (unit == nullptr) {
    unit = ULP_TRY(opened.dump->openUnit(number, currentStop()));
  }
  return unit;
}

Result<remote::Frame> DumpShelf::unit(const json::Value& question) {
  Opened* const from = ULP_TRY(opened(question.at("path").text()));
  const DumpUnitPtr unit = ULP_TRY(unitOf(*from, question));
  auto& [number, text] = from->text;
  if (const auto asked = static_cast<std::size_t>(question.at("unit").integer()); number != asked) {
    text = unitText(*unit);
    number = asked;
  }
  const auto offset = std::min<std::uint64_t>(
      static_cast<std::uint64_t>(question.at("offset").integer()), text.size());
  return remote::Frame{.head = json::Object{{"size", text.size()}},
                       .bytes = text.substr(offset, kTextAtOnce)};
}

Result<tensors::Tensor> DumpShelf::tensor(const json::Value& question) {
  const Held* const found = ULP_TRY(held(question));
  return found->tensor;
}

Result<const DumpShelf::Held*> DumpShelf::held(const json::Value& question) {
  const std::string& path = question.at("path").text();
  const auto row = static_cast<std::size_t>(question.at("row").integer());
  std::string key = fmt::format("{}\n{}\n{}", question.at("unit").integer(), row, path);
  auto found = std::ranges::find(m_held, key, &Held::key);
  if (found == m_held.end()) {
    Opened* const from = ULP_TRY(opened(path));
    const DumpUnitPtr unit = ULP_TRY(unitOf(*from, question));
    if (row >= unit->rows.size()) {
      return fail(ErrorCode::InvalidArgument,
                  path + ": has no such tensor any more; open it again");
    }
    tensors::Tensor read = ULP_TRY(unit->read(row));
    std::string state = stateOf(read);
    m_held.push_front({std::move(key), std::move(state), std::move(read)});
    if (m_held.size() > kMostTensors) {
      m_held.pop_back();
    }
    found = m_held.begin();
  }
  const std::string& wanted = question.at("state").text();
  if (!wanted.empty() && wanted != found->state) {
    return fail(ErrorCode::InvalidArgument,
                path + ": was changed while it was looked at; open it again");
  }
  return &*found;
}

}  // namespace ulp::dumps
