#include "core/dumps/hosts/host_dump.h"

#include <fmt/format.h>
#include <memory>
#include <string>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/stop_scope.h"
#include "core/dumps/hosts/unit_json.h"
#include "core/remote/captures/remote_tensor.h"
#include "core/remote/mirror/remote_run.h"
#include "core/remote/ssh/session.h"

namespace ulp::dumps {
namespace {

/// Whom to ask for what.
struct HostPlace {
  std::shared_ptr<remote::Session> session;
  std::string path;

  [[nodiscard]] json::Object question(std::string_view ask) const {
    return {{"ask", ask}, {"path", path}};
  }
};

class HostUnit final : public DumpUnit {
 public:
  HostUnit(HostPlace place, std::size_t number) : m_place(std::move(place)), m_number(number) {}

  Result<> load(const Progress& progress) {
    std::string text;
    std::uint64_t size = 1;
    while (text.size() < size) {
      json::Object question = m_place.question("unit");
      question["unit"] = m_number;
      question["offset"] = text.size();
      const remote::Frame answer = ULP_TRY(m_place.session->ask({.head = std::move(question)}));
      size = static_cast<std::uint64_t>(answer.head.at("size").integer());
      text += answer.bytes;
      if (answer.bytes.empty() || text.size() > size) {
        return fail(ErrorCode::CorruptData, m_place.path + ": the host says less than it has");
      }
      if (progress) {
        progress(text.size(), size);
      }
    }
    return readUnitText(text, *this);
  }

  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override {
    return remote::RemoteTensor::read(ULP_TRY(open(row)));
  }
  [[nodiscard]] Result<tensors::Tensor> look(std::size_t row) const override {
    return remote::RemoteTensor::look(ULP_TRY(open(row)));
  }

 private:
  [[nodiscard]] Result<std::shared_ptr<remote::RemoteTensor>> open(std::size_t row) const {
    json::Object question = m_place.question("tensor");
    question["of"] = "dump";
    question["unit"] = m_number;
    question["row"] = row;
    const remote::Frame answer = ULP_TRY(m_place.session->ask({.head = question}));
    const auto dtype = parseDType(answer.head.at("dtype").text());
    if (!dtype) {
      return fail(ErrorCode::CorruptData,
                  "the host speaks of a tensor that this version cannot have");
    }
    const std::string& state = answer.head.at("state").text();
    question["state"] = state;
    const std::string place =
        toText(remote::Location{.host = m_place.session->host(), .path = m_place.path});
    const std::string name =
        fmt::format("{}\n{}\n{}\n{}\n{}", place, state, m_number, row, rows[row].name);
    return remote::RemoteTensor::open(
        {.session = m_place.session, .question = std::move(question), .place = place},
        name,
        *dtype,
        listOf(answer.head.at("shape").items(),
               [](const json::Value& size) { return size.integer(); }));
  }

  HostPlace m_place;
  std::size_t m_number;
};

}  // namespace

bool isHostDump(const std::filesystem::path& path) {
  return remote::isRemoteDump(path);
}

Result<Dump> openHostDump(const std::filesystem::path& path, const std::stop_token& stop) {
  const StopScope scope(stop);
  const remote::RemoteRun mark = ULP_TRY(remote::readRemoteDump(path));
  const HostPlace place{remote::sharedSession(mark.host, mark.program), mark.folder};
  const remote::Frame answer = ULP_TRY(place.session->ask({.head = place.question("dump")}));
  Dump dump = ULP_TRY(dumpIn(answer.head.at("dump")));
  for (std::size_t i = 0; i < dump.units.size(); ++i) {
    dump.units[i].open = [place, i](const UnitInfo& unit,
                                    const std::stop_token& unitStop,
                                    const Progress& progress) -> Result<DumpUnitPtr> {
      const StopScope unitScope(unitStop);
      auto made = std::make_shared<HostUnit>(place, i);
      made->axes = unit.axes;
      ULP_TRY(made->load(progress));
      return DumpUnitPtr(std::move(made));
    };
  }
  return dump;
}

}  // namespace ulp::dumps
