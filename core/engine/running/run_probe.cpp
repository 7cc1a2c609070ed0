#include "core/engine/running/run_probe.h"

#include <memory>
#include <utility>

#include <c10/core/GradMode.h>

#include "core/engine/captures/torch_captures.h"
#include "core/engine/running/devices.h"

namespace ulp::engine {
namespace {

std::size_t indexOf(Pass pass) {
  return static_cast<std::size_t>(pass);
}

}  // namespace

RunProbe::RunProbe(Observer& observer,
                   std::stop_token stop,
                   const std::vector<Site>& sites,
                   LayerDevices devices)
    : m_observer(&observer),
      m_stop(std::move(stop)),
      m_devices(std::move(devices)),
      m_wanted(kPasses.size()),
      m_observerTime(m_devices) {
  for (const Site& site : sites) {
    if (observer.wants(site)) {
      m_wanted[indexOf(site.pass)].emplace(site.name, site);
      m_showsOperations = m_showsOperations || site.level == Level::Op;
    }
  }
}

const Site* RunProbe::find(Pass pass, const std::string& name) const {
  const Wanted& wanted = m_wanted[indexOf(pass)];
  const auto found = wanted.find(name);
  return found == wanted.end() ? nullptr : &found->second;
}

bool RunProbe::wants(Pass pass, const std::string& name) const {
  return find(pass, name) != nullptr;
}

void RunProbe::stopRun(Error error) {
  m_error = std::move(error);
  throw RunStopped();
}

void RunProbe::checkStop() {
  if (m_stop.stop_requested()) {
    stopRun(Error(ErrorCode::Cancelled, "the run was cancelled"));
  }
}

void RunProbe::moveTo(Pass pass, const std::string& name) {
  checkStop();
  m_observerTime.whileDevicesGoOn([&] { m_observer->progressed(pass, name); });
}

bool RunProbe::isFollowed(const std::string& row) const {
  return find(Pass::Backward, row) != nullptr ||
         (m_kernels != nullptr && m_kernels->knows(Pass::Backward, row));
}

void RunProbe::moveForward(const std::string& name) {
  if (m_compared.piece().isLast()) {
    moveTo(Pass::Forward, name);
  } else {
    checkStop();
  }
}

RunProbe::Awaited RunProbe::awaited(const Row& row) const {
  return {row.name, row.axes, m_compared.piece(), find(Pass::Backward, row.name)};
}

void RunProbe::rowBegins(Pass pass, const std::string& row, const Piece& piece) {
  if (m_kernels != nullptr && piece.isLast()) {
    m_kernels->begins(pass, row);
  }
}

void RunProbe::rowEnds(Pass pass, const std::string& row, const Piece& piece) {
  if (m_kernels != nullptr && piece.isLast()) {
    m_kernels->ends(pass, row);
  }
}

void RunProbe::recordKernels(const std::vector<Site>& rows) {
  m_rowsOfKernels = rows;
}

void RunProbe::pieceBegins(const Piece& piece) {
  m_compared.pieceBegins(piece);
  if (piece.isLast() && !m_rowsOfKernels.empty()) {
    Devices::synchronize(m_devices);
    m_observerTime.whileDevicesRest(
        [&] { m_kernels = std::make_unique<KernelRecorder>(m_rowsOfKernels); });
    m_rowsOfKernels.clear();
  }
}

KernelRecord RunProbe::takeKernels() {
  const std::unique_ptr<KernelRecorder> recorder = std::move(m_kernels);
  return recorder == nullptr ? KernelRecord{} : recorder->finish();
}

void RunProbe::setSilent(bool silent) {
  m_isSilent = silent;
  if (m_kernels != nullptr) {
    m_kernels->setAside(silent);
  }
}

void RunProbe::observe(const Site& site, const Capture& capture) {
  if (auto observed = m_observer->observe(site, capture); !observed) {
    stopRun(std::move(observed.error()));
  }
}

void RunProbe::observe(const Site& site, const at::Tensor& value) {
  Devices::synchronize(m_devices);
  m_observerTime.whileDevicesRest([&] {
    const KernelsAside aside(m_kernels.get());
    observe(site, captureOf(value));
    Devices::synchronize(m_devices);
  });
}

void RunProbe::observe(const Site& site, Axes axes, const Piece& piece, const at::Tensor& value) {
  const KernelsAside aside(m_kernels.get());
  if (const auto shown = m_compared.take(site, axes, piece, value)) {
    observe(site, *shown);
  }
}

/// Divided in float32 at least: float16 has not the range for what is small.
at::Tensor RunProbe::unscaled(const at::Tensor& gradient) const {
  if (m_gradientScale == 1) {
    return gradient;
  }
  const c10::NoGradGuard noGrad;
  return gradient.to(at::promoteTypes(gradient.scalar_type(), at::kFloat)) / m_gradientScale;
}

void RunProbe::gradientIsThere(const Awaited& awaited, const at::Tensor& value) {
  if (m_isSilent) {
    return;
  }
  rowEnds(Pass::Backward, awaited.row, awaited.piece);
  if (awaited.site != nullptr) {
    const KernelsAside aside(m_kernels.get());
    observe(*awaited.site, awaited.axes, awaited.piece, unscaled(value));
  }
}

void RunProbe::microBatchBegins(std::size_t index, std::size_t count, const ComparedPart& part) {
  checkStop();
  m_compared.microBatchBegins(part);
  m_observerTime.whileDevicesGoOn([&] { m_observer->microBatchBegins(index, count); });
}

void RunProbe::reached(const std::string& name, const Piece& piece) {
  if (m_isSilent || piece.index > 0) {
    checkStop();
  } else {
    moveTo(Pass::Backward, name);
  }
  if (!m_isSilent) {
    rowBegins(Pass::Backward, name, piece);
  }
}

void RunProbe::output(const Row& row, const at::Tensor& value) {
  const Piece& piece = m_compared.piece();
  rowEnds(Pass::Forward, row.name, piece);
  moveForward(row.name);
  if (const Site* site = find(Pass::Forward, row.name)) {
    observe(*site, row.axes, piece, value);
  }
  if (value.requires_grad()) {
    value.register_hook(
        [this, name = row.name, piece](const at::Tensor& /*gradient*/) { reached(name, piece); });
  }
}

void RunProbe::totalGradient(const Row& row, const at::Tensor& value) {
  if (isFollowed(row.name)) {
    value.register_hook([this, awaited = awaited(row)](const at::Tensor& gradient) {
      gradientIsThere(awaited, gradient);
    });
  }
  rowBegins(Pass::Forward, row.name, m_compared.piece());
}

std::vector<at::Tensor> RunProbe::ownGradient(const Row& row,
                                              const at::Tensor& input,
                                              int readers) {
  const auto count = static_cast<std::size_t>(readers);
  std::vector<at::Tensor> aliases(count, input);
  if (isFollowed(row.name)) {
    const auto sum = std::make_shared<at::Tensor>();
    for (std::size_t reader = 0; reader < count; ++reader) {
      aliases[reader] = at::alias(input);
      // The first alias is the last to get its gradient.
      aliases[reader].register_hook(
          [this, awaited = awaited(row), sum, last = reader == 0](const at::Tensor& gradient) {
            if (awaited.site != nullptr) {
              const KernelsAside aside(m_kernels.get());
              *sum = sum->defined() ? *sum + gradient : gradient;
            }
            if (last) {
              gradientIsThere(awaited, *sum);
              sum->reset();
            }
          });
    }
  }
  rowBegins(Pass::Forward, row.name, m_compared.piece());
  return aliases;
}

void RunProbe::derivedGradient(const Row& row,
                               const at::Tensor& output,
                               std::function<at::Tensor(const at::Tensor&)> toInput) {
  if (find(Pass::Backward, row.name) != nullptr) {
    output.register_hook(
        [this, awaited = awaited(row), toInput = std::move(toInput)](const at::Tensor& gradient) {
          const c10::NoGradGuard noGrad;
          if (!m_isSilent) {
            const KernelsAside aside(m_kernels.get());
            observe(*awaited.site, awaited.axes, awaited.piece, unscaled(toInput(gradient)));
          }
        });
  }
}

void RunProbe::operation(const Row& row, const at::Tensor& value, Layout layout) {
  const auto shown = [layout](const at::Tensor& tensor) {
    const c10::NoGradGuard noGrad;
    return layout == nullptr ? tensor : layout(tensor);
  };
  const Site* forward = find(Pass::Forward, row.name);
  if (forward != nullptr && !m_isInBackward) {
    rowEnds(Pass::Forward, row.name, m_compared.piece());
    moveForward(row.name);
    const KernelsAside aside(m_kernels.get());
    observe(*forward, row.axes, m_compared.piece(), shown(value));
  }
  if (find(Pass::Backward, row.name) != nullptr && value.requires_grad()) {
    value.register_hook([this, awaited = awaited(row), shown](const at::Tensor& gradient) {
      const KernelsAside aside(m_kernels.get());
      gradientIsThere(awaited, shown(gradient));
    });
  }
}

void RunProbe::attentionKernel(const std::string& module, std::string_view kernel) {
  std::string& kernels = m_attentionKernels[module];
  if (kernels.find(kernel) == std::string::npos) {
    kernels += (kernels.empty() ? "" : ", ") + std::string(kernel);
  }
}

Capture RunProbe::parameterGradient(const std::string& name, const at::Tensor& gradient) {
  moveTo(Pass::ParameterGradient, name);
  Capture capture = captureOf(unscaled(gradient));
  if (const Site* site = find(Pass::ParameterGradient, name)) {
    observe(*site, capture);
  } else if (capture.device != nullptr) {
    // Whoever makes the optimizer's rows again keeps it, and no observer knows of it.
    if (auto moved = capture.device->leaveDevice(); !moved) {
      stopRun(std::move(moved.error()));
    }
  }
  return capture;
}

void RunProbe::optimizerTensor(const std::string& name,
                               const at::Tensor& value,
                               std::function<Capture()> again) {
  moveTo(Pass::Optimizer, name);
  if (const Site* site = find(Pass::Optimizer, name)) {
    Capture capture = captureOf(value);
    capture.again = std::move(again);
    observe(*site, capture);
  }
}

}  // namespace ulp::engine
