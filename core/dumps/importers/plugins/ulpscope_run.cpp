#include <fmt/format.h>
#include <memory>
#include <utility>

#include "core/dumps/importers/importer.h"
#include "core/dumps/model/folders.h"
#include "core/remote/captures/remote_captures.h"
#include "core/tensors/store/capture_reader.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStore = "tensors.h5";

Role roleOf(const Site& site) {
  switch (site.pass) {
    case Pass::Forward:
      return Role::Output;
    case Pass::Backward:
      return site.name == "logits" ? Role::OutputGradient : Role::InputGradient;
    case Pass::ParameterGradient:
      return Role::ParameterGradient;
    case Pass::Optimizer:
      break;
  }
  return Role::Value;
}

EntryKind kindOf(Pass pass) {
  switch (pass) {
    case Pass::Forward:
    case Pass::Backward:
      return EntryKind::Module;
    case Pass::ParameterGradient:
      return EntryKind::Gradient;
    case Pass::Optimizer:
      break;
  }
  return EntryKind::Tensor;
}

/// "q" of the row "…self_attn[q]", "weight" of the gradient of "model.norm.weight".
std::string indexOf(const Site& site) {
  if (site.pass == Pass::ParameterGradient && site.name.starts_with(site.module + ".")) {
    return site.name.substr(site.module.size() + 1);
  }
  const std::size_t bracket = site.name.find('[');
  return bracket == std::string::npos || !site.name.ends_with(']')
             ? ""
             : site.name.substr(bracket + 1, site.name.size() - bracket - 2);
}

class RunUnit final : public DumpUnit {
 public:
  RunUnit(std::shared_ptr<const tensors::CaptureReader> reader, const std::string& run)
      : m_reader(std::move(reader)) {
    axes.run = run;
    for (const tensors::StoredCapture& capture : m_reader->captures()) {
      if (capture.run == run) {
        add(capture);
      }
    }
  }

  [[nodiscard]] Result<tensors::Tensor> read(std::size_t row) const override {
    ULP_TRY(checkWhole(row));
    return m_reader->read(*m_captures[row]);
  }
  [[nodiscard]] Result<tensors::Tensor> look(std::size_t row) const override {
    ULP_TRY(checkWhole(row));
    return m_reader->look(*m_captures[row]);
  }

 private:
  [[nodiscard]] Result<> checkWhole(std::size_t row) const {
    if (m_captures[row]->sampleStride > 1) {
      return fail(
          ErrorCode::Unsupported,
          fmt::format("run '{}', tensor '{}': only a sample of its elements was kept; run the "
                      "study with capture.tensors: full",
                      axes.run,
                      rows[row].name));
    }
    return {};
  }

  void add(const tensors::StoredCapture& capture) {
    const Site& site = capture.site;
    const EntryKind kind = kindOf(site.pass);
    const bool isNext = entries.empty() || kind == EntryKind::Tensor ||
                        entries.back().kind != kind || entries.back().pass != site.pass ||
                        entries.back().module != site.module;
    if (isNext) {
      addEntry({.name = kind == EntryKind::Tensor ? site.name : site.module,
                .kind = kind,
                .pass = site.pass,
                .module = site.module});
    }
    addRow({.name = site.name,
            .role = roleOf(site),
            .index = indexOf(site),
            .dtype = std::string(toString(capture.dtype)),
            .shape = capture.shape,
            .hasElements = true});
    m_captures.push_back(&capture);
  }

  std::shared_ptr<const tensors::CaptureReader> m_reader;
  std::vector<const tensors::StoredCapture*> m_captures;  ///< parallel to rows
};

Claim recogniseRun(const fs::path& path) {
  const bool isStore = path.filename() == kStore && isFile(path);
  return isStore || isFile(path / kStore) || remote::hasRemoteCaptures(path) ? Claim::Certain
                                                                             : Claim::No;
}

Result<Dump> openRun(const fs::path& path, const std::stop_token& /*stop*/) {
  const auto reader = ULP_TRY(remote::openCaptures(path));
  Dump dump{.format = "run of Ulpscope"};
  for (const tensors::StoredCapture& capture : reader->captures()) {
    if (dump.units.empty() || dump.units.back().axes.run != capture.run) {
      dump.units.push_back({.axes = {.run = capture.run},
                            .path = path,
                            .open = [reader](const UnitInfo& unit,
                                             const std::stop_token& /*stop*/,
                                             const Progress& /*progress*/) {
                              return std::make_shared<RunUnit>(reader, unit.axes.run);
                            }});
    }
  }
  for (const Error& problem : reader->problems()) {
    dump.notes.push_back(problem.message());
  }
  return dump;
}

}  // namespace

void registerUlpscopeRun(ImporterRegistry& registry) {
  registry.add({"ulpscope_run", "run folder of Ulpscope with tensors", recogniseRun, openRun});
}

}  // namespace ulp::dumps
