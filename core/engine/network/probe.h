#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/ATen.h>

#include "core/base/interface.h"
#include "core/base/site.h"

namespace ulp::engine {

/// What the dimensions of a row's tensors are.
enum class Axes : std::uint8_t {
  Tokens,  ///< [batch, length, …]
  Heads,   ///< [batch, heads, length, …]
  Pairs,   ///< [batch, heads, length, keys]
  Table,   ///< [1 or batch, length, …], the same for every sequence that is padded alike
  Whole    ///< neither sequences nor positions, or those of the micro-batch alone
};

/// Positions that go through a network at once: a piece of those of a micro-batch.
struct Piece {
  std::size_t index = 0;
  std::size_t count = 1;
  std::int64_t begin = 0;  ///< [begin, end) of the positions
  std::int64_t end = 0;

  [[nodiscard]] bool isLast() const { return index + 1 == count; }
};

/// A row of the report before it has a pass (see Site).
struct Row {
  std::string name;
  std::string module;
  int layer = -1;
  Level level = Level::Module;
  Axes axes = Axes::Tokens;

  [[nodiscard]] Site in(Pass pass) const { return {name, module, layer, level, pass}; }
};

/// What tells the modules of a layer apart from those of others: "model.layers.3", 3.
struct LayerPlace {
  std::string path;
  int layer = -1;

  [[nodiscard]] Row row(const std::string& module) const {
    return {path + module, path + module, layer, Level::Module};
  }
};

/// Shows a tensor that lies in another order than the same one of other implementations.
using Layout = at::Tensor (*)(const at::Tensor&);

/// Where a network says what it makes. The sites of the forward pass are announced in the order of
/// execution; those of the backward pass, which autograd runs in exactly the reverse order of
/// creation, come out in the reverse order of their announcement.
class Probe : public Interface {
 public:
  /// `value` is what the row's forward pass gave.
  virtual void output(const Row& row, const at::Tensor& value) = 0;
  /// The row's backward product is the whole gradient with respect to `value`, from all of its
  /// consumers. For inputs that only this row reads, and for the residual stream.
  virtual void totalGradient(const Row& row, const at::Tensor& value) = 0;
  /// The row's backward product is the gradient that its own operations send to `input`. Gives one
  /// tensor per operation that reads the input, in the order in which these operations are created,
  /// so that autograd adds their gradients to those of other readers in the same order as without
  /// a probe.
  [[nodiscard]] virtual std::vector<at::Tensor> ownGradient(const Row& row,
                                                            const at::Tensor& input,
                                                            int readers) = 0;
  /// The row's backward product is what `toInput` makes of the whole gradient with respect to
  /// `output`. For rows whose own product is a part of a larger one. Called in the order in which
  /// the backward pass reaches them.
  virtual void derivedGradient(const Row& row,
                               const at::Tensor& output,
                               std::function<at::Tensor(const at::Tensor&)> toInput) = 0;
  /// Somebody looks at rows of level Op; nobody need be told of them otherwise.
  [[nodiscard]] virtual bool showsOperations() const = 0;
  /// The row is an operation between modules: its forward product is `value`, its backward product
  /// the whole gradient with respect to `value`, both in `layout` (null: as they lie). May be
  /// called again by the backward pass where that computes the operation anew, and then shows its
  /// gradient alone.
  virtual void operation(const Row& row, const at::Tensor& value, Layout layout) = 0;
  /// The attention `module` runs in this kernel ("flash"). Called each time that it does.
  virtual void attentionKernel(const std::string& module, std::string_view kernel) = 0;
  /// What is announced from here on is of this piece, every row once in each; without a number of
  /// positions: of the micro-batch as a whole.
  virtual void pieceBegins(const Piece& /*piece*/) {}
};

/// Announces the operations inside a module as rows `<module>.<operation>` of level Op, where
/// somebody looks at them. Copies may outlive the forward pass, for a backward pass that computes
/// the operations anew, but not the probe.
class OperationRows {
 public:
  OperationRows(Probe& probe, const std::string& module, int layer);
  OperationRows(Probe& probe, const LayerPlace& place)
      : OperationRows(probe, place.path, place.layer) {}

  /// A result with a gradient (Probe::operation). `axes`: of the tensor in `layout`.
  void show(std::string_view operation,
            const at::Tensor& value,
            Axes axes = Axes::Tokens,
            Layout layout = nullptr) const;
  /// A tensor that has none, as tables have; not inside operations that the backward pass repeats.
  void showConstant(std::string_view operation, const at::Tensor& value, Axes axes) const;
  /// False: what would be computed only to be shown need not be.
  [[nodiscard]] bool areSeen() const { return m_probe != nullptr; }

 private:
  [[nodiscard]] Row row(std::string_view operation, Axes axes) const;

  Probe* m_probe = nullptr;  ///< null: nobody looks
  std::string m_module;
  int m_layer = -1;
};

/// Lists the sites of a network by letting it run on a miniature of itself.
class SiteRecorder final : public Probe {
 public:
  void output(const Row& row, const at::Tensor& value) override;
  void totalGradient(const Row& row, const at::Tensor& value) override;
  std::vector<at::Tensor> ownGradient(const Row& row,
                                      const at::Tensor& input,
                                      int readers) override;
  void derivedGradient(const Row& row,
                       const at::Tensor& output,
                       std::function<at::Tensor(const at::Tensor&)> toInput) override;
  [[nodiscard]] bool showsOperations() const override { return true; }
  void operation(const Row& row, const at::Tensor& value, Layout layout) override;
  void attentionKernel(const std::string& /*module*/, std::string_view /*kernel*/) override {}

  /// Forward in execution order, then backward in execution order.
  [[nodiscard]] std::vector<Site> sites() const;

 private:
  std::vector<Site> m_forward;
  std::vector<Site> m_backward;
};

}  // namespace ulp::engine
