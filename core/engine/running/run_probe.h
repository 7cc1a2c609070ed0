#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include <ATen/ATen.h>

#include "core/base/result.h"
#include "core/engine/batches/compared_rows.h"
#include "core/engine/engine.h"
#include "core/engine/kernels/kernel_recorder.h"
#include "core/engine/network/probe.h"
#include "core/engine/placement/layer_devices.h"
#include "core/engine/running/observer_time.h"

namespace ulp::engine {

/// Unwinds a run through LibTorch; the reason lies in RunProbe::error().
class RunStopped : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "the run was stopped"; }
};

/// Hands the tensors of one run to an observer. Must outlive the run's autograd graph, whose hooks
/// point to it. Autograd calls the hooks one after another: on the CPU, and where there are several
/// devices, on the thread that started the backward pass; on one CUDA device on a thread of
/// LibTorch while that thread waits.
class RunProbe final : public Probe {
 public:
  /// Asks the observer which of `sites` it wants. `devices`: where the run computes.
  RunProbe(Observer& observer,
           std::stop_token stop,
           const std::vector<Site>& sites,
           LayerDevices devices);

  void output(const Row& row, const at::Tensor& value) override;
  void totalGradient(const Row& row, const at::Tensor& value) override;
  std::vector<at::Tensor> ownGradient(const Row& row,
                                      const at::Tensor& input,
                                      int readers) override;
  void derivedGradient(const Row& row,
                       const at::Tensor& output,
                       std::function<at::Tensor(const at::Tensor&)> toInput) override;
  [[nodiscard]] bool showsOperations() const override { return m_showsOperations; }
  void operation(const Row& row, const at::Tensor& value, Layout layout) override;
  void attentionKernel(const std::string& module, std::string_view kernel) override;
  void pieceBegins(const Piece& piece) override;
  /// Gives the gradient as observers see it.
  [[nodiscard]] Capture parameterGradient(const std::string& name, const at::Tensor& gradient);
  /// One tensor of the optimizer's step, which `again` can make again.
  void optimizerTensor(const std::string& name,
                       const at::Tensor& value,
                       std::function<Capture()> again);

  /// Observers see the gradients divided by it.
  void setGradientScale(double scale) { m_gradientScale = scale; }
  /// Records, from the last piece of the micro-batch on, which kernels run for which of `rows`,
  /// those of the run. Throws c10::Error, as takeKernels() does.
  void recordKernels(const std::vector<Site>& rows);
  /// Ends that. Empty where nothing was recorded.
  [[nodiscard]] KernelRecord takeKernels();
  /// Observers see `part` of what is announced from now on.
  void microBatchBegins(std::size_t index, std::size_t count, const ComparedPart& part);
  /// Silent: a backward pass that nobody is to see.
  void setSilent(bool silent);
  /// Says that the backward pass runs: operations that are announced now are recomputed ones.
  void setInBackward(bool inBackward) { m_isInBackward = inBackward; }

  [[nodiscard]] bool wants(Pass pass, const std::string& name) const;
  /// Why the run was stopped, if it was.
  [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
  /// Time of the passes that was the observer's. A device is waited for before and behind each
  /// capture, so that work which it does for the run counts as the run's; time in which the
  /// observer is told of a row counts as the run's where a CUDA device computes on meanwhile.
  [[nodiscard]] ObserverTime::Seconds observerTime() const { return m_observerTime.total(); }
  /// RunOutcome::attentionKernels so far.
  [[nodiscard]] const std::map<std::string, std::string>& attentionKernels() const {
    return m_attentionKernels;
  }
  /// Throws RunStopped when the user asked for it.
  void checkStop();

 private:
  using Wanted = std::unordered_map<std::string, Site>;

  [[nodiscard]] const Site* find(Pass pass, const std::string& name) const;
  void observe(const Site& site, const Capture& capture);
  void observe(const Site& site, const at::Tensor& value);
  /// A tensor of a piece.
  void observe(const Site& site, Axes axes, const Piece& piece, const at::Tensor& value);
  /// What a hook knows of the row and the piece whose gradient it waits for.
  struct Awaited {
    std::string row;
    Axes axes = Axes::Tokens;
    Piece piece;
    const Site* site = nullptr;  ///< null: nobody wants it
  };
  [[nodiscard]] Awaited awaited(const Row& row) const;
  /// `value` is the row's product of the backward pass.
  void gradientIsThere(const Awaited& awaited, const at::Tensor& value);
  /// Without the factor of the loss.
  [[nodiscard]] at::Tensor unscaled(const at::Tensor& gradient) const;
  void moveTo(Pass pass, const std::string& name);
  /// The same in the forward pass of a piece: an observer follows the last.
  void moveForward(const std::string& name);
  /// The backward pass of a piece is at a row: an observer follows the first, whose is the last.
  void reached(const std::string& name, const Piece& piece);
  /// It is to be known when the row's product of the backward pass is there, wanted or not.
  [[nodiscard]] bool isFollowed(const std::string& row) const;
  /// Kernels are recorded of the last piece.
  void rowBegins(Pass pass, const std::string& row, const Piece& piece);
  void rowEnds(Pass pass, const std::string& row, const Piece& piece);
  [[noreturn]] void stopRun(Error error);

  Observer* m_observer;
  std::unique_ptr<KernelRecorder> m_kernels;  ///< null: nobody asks for kernels
  std::vector<Site> m_rowsOfKernels;          ///< whose recording begins with the last piece
  ComparedRows m_compared;
  std::stop_token m_stop;
  LayerDevices m_devices;
  std::vector<Wanted> m_wanted;  ///< by pass
  std::map<std::string, std::string> m_attentionKernels;
  std::optional<Error> m_error;
  ObserverTime m_observerTime;
  double m_gradientScale = 1;
  bool m_isSilent = false;
  bool m_isInBackward = false;
  bool m_showsOperations = false;
};

}  // namespace ulp::engine
