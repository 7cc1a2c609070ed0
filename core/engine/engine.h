#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/graph/operation_graph.h"
#include "core/base/interface.h"
#include "core/base/kernels/kernel_record.h"
#include "core/base/result.h"
#include "core/base/site.h"
#include "core/engine/batch_plan.h"
#include "core/engine/capture.h"
#include "core/engine/capture_comparer.h"
#include "core/engine/engine_facts.h"
#include "core/engine/expert_choice.h"
#include "core/engine/loss_plan.h"
#include "core/engine/optimizer_plan.h"
#include "core/engine/precision_plan.h"
#include "core/engine/step_losses.h"
#include "core/numerics/team.h"

/// The evaluation engine as everybody else sees it: no LibTorch types. The implementation is a
/// shared library that loadEngine() opens, so that a program which only reads reports never loads
/// LibTorch.
namespace ulp::engine {

struct ModelRequest {
  /// A Hugging Face folder, a .gguf file, or (random weights) a folder with config.json alone.
  std::filesystem::path path;
  bool randomWeights = false;
  std::uint64_t seed = 0;          ///< of random weights
  std::string architectureJson{};  ///< object that overrides fields of config.json; empty: none
};

struct ModelInfo {
  std::string name;    ///< folder or file name
  std::string family;  ///< "llama"
  int layers = 0;
  std::int64_t vocabularySize = 0;
  std::int64_t maxPositions = 0;
  std::uint64_t parameters = 0;
};

/// Token ids, row-major [batch, length + 1]: inputs are the first `length` columns, labels the
/// last.
struct TokenBatch {
  std::vector<std::int64_t> ids;  ///< ids of padding are not looked at
  std::int64_t batch = 1;
  std::int64_t length = 0;
  DocumentLayout documents{};
  PolicyData policy{};  ///< empty unless a term of the loss asks for it
};

/// What a run observes.
struct CaptureScope {
  Level level = Level::Module;
  /// false: the forward pass alone, without autograd; the two below say nothing then.
  bool backward = true;
  bool parameterGradients = true;
  OptimizerPlan optimizer{};
};

/// Receives the tensors of a run, in the order of Model::sites(), those of the passes once for each
/// micro-batch. The calls come one after another, on the thread that called Model::run() when the
/// run is on the CPU or on several devices; on one CUDA device those of the backward pass come from
/// a thread of LibTorch while that thread waits.
class Observer : public Interface {
 public:
  /// Asked once a run for each site of Model::sites(); a site that is not wanted costs nothing.
  [[nodiscard]] virtual bool wants(const Site& site) = 0;
  /// The forward and the backward pass of a micro-batch of the step begin: `index` of `count`.
  /// Their sites are observed once in each, but the loss, which is that of the whole step, and the
  /// sites of parameters only in the last.
  virtual void microBatchBegins(std::size_t /*index*/, std::size_t /*count*/) {}
  /// An error ends the run and is returned by Model::run().
  [[nodiscard]] virtual Result<> observe(const Site& site, const Capture& capture) = 0;
  /// A router has chosen experts; the output of its block is observed behind it. Errors as above.
  [[nodiscard]] virtual Result<> observeChoice(const ExpertChoice& /*choice*/) { return {}; }
  /// Called as the run moves on, also between captured sites; `site` is where it is.
  virtual void progressed(Pass /*pass*/, std::string_view /*site*/) {}
};

/// Of a run that is made for what it computes.
class NothingObserved final : public Observer {
 public:
  [[nodiscard]] bool wants(const Site& /*site*/) override { return false; }
  [[nodiscard]] Result<> observe(const Site& /*site*/, const Capture& /*capture*/) override {
    return {};
  }
};

struct RunRequest : CaptureScope {
  PrecisionPlan plan;
  LossPlan loss{};
  std::vector<TokenBatch> microBatches;  ///< of the step, in order, at least one
  BatchPlan batch{};                     ///< of each micro-batch
  /// "cpu", "cuda", "cuda:1"; "cuda:0+cuda:1": several that have the layers in turn.
  std::string device = "cpu";
  /// On CUDA: also record which kernels run for which rows, in the last piece of the last
  /// micro-batch.
  bool recordsKernels = false;
  bool recordsGraph = true;  ///< of level Op: also tells what rows were made from
};

/// What LibTorch had given out on CUDA devices at moments of a run, in bytes. What stays there only
/// for later runs is not counted. Peaks of several devices need not have been at one moment.
struct DeviceMoments {
  std::uint64_t begin = 0;         ///< the passes begin
  std::uint64_t forward = 0;       ///< the last forward pass has ended
  std::uint64_t forwardPeak = 0;   ///< most of all until then
  std::uint64_t backward = 0;      ///< the last backward pass has ended
  std::uint64_t backwardPeak = 0;  ///< most of all until then
  std::uint64_t reserved = 0;      ///< most that it had taken from the driver in the whole run
};

struct RunOutcome {
  double loss = 0;  ///< Σ weight × value over the terms, of the whole step
  std::vector<LossTermOutcome> terms{};
  TokenOutcome tokens{};
  std::int64_t labels = 0;     ///< tokens that were predicted, of the whole step
  std::int64_t documents = 0;  ///< without padding, of the whole step
  std::int64_t microBatches = 1;
  /// What LibTorch's scaled_dot_product_attention chose for each attention, by module path: "math",
  /// "flash", "efficient", "cudnn"; of several choices all, in order: "flash, math". Empty where
  /// attention is Eager.
  std::map<std::string, std::string> attentionKernels{};
  /// Files of the user's Python code that the run had, by path, with the SHA-256 of what was
  /// loaded: what the study names, what that imports, what comes with the checkpoint.
  std::map<std::string, std::string> codeFiles{};
  double seconds = 0;  ///< forward and backward, without loading, casting, observing, optimizing
  /// Of the device, of several CUDA devices each one's peak, all together; on the CPU the process's
  /// peak resident set.
  std::uint64_t peakBytes = 0;
  std::optional<DeviceMoments> memory{};  ///< nothing: the engine does not say
  double gradientScale = 1;               ///< what the loss was multiplied by
  KernelRecord kernels{};       ///< empty: not asked for, no CUDA device, or nothing was seen
  OperationGraph graph{};       ///< of level Op, where it was asked for and the engine knows it
  std::vector<Site> missing{};  ///< of Model::sites() and wanted, but not made in every micro-batch
  std::vector<Site> unlisted{};  ///< operations that were made and are not among Model::sites()
  /// Operations of Model::sites() of which it is not known which part is of the sequences that the
  /// run is asked about.
  std::vector<Site> unplaced{};
};

/// Is told how many of how many positions have their token, over all micro-batches.
using ChoiceWatch = std::function<void(std::int64_t chosen, std::int64_t all)>;

/// A loaded model: weights in their stored format, shared by all runs, cast anew for each.
class Model : public Interface {
 public:
  [[nodiscard]] virtual const ModelInfo& info() const = 0;
  /// Waits for the SHA-256 over the weight files, or over {config, seed} where weights are random.
  /// Errors: Cancelled (the stop of openModel()), CorruptData (a file was changed), NotFound, Io.
  [[nodiscard]] virtual Result<std::string> weightsDigest() const = 0;
  /// Finds out which operations (Level::Op) a run like this one makes, where they depend on how it
  /// computes and on the shapes of its tokens, whatever its BatchPlan; those of sites() are these
  /// from now on. Errors: as of run().
  [[nodiscard]] virtual Result<> learnSites(const RunRequest& /*request*/,
                                            const std::stop_token& /*stop*/) {
    return {};
  }
  /// Lists every site that a run of this scope observes, in the order of execution. Of the
  /// operations between modules (Level::Op), a run leaves out those that its kernels keep to
  /// themselves: scores and softmax unless attention is Eager and the positions go through the
  /// network at once, variance and normalized of norms that are Fused.
  [[nodiscard]] virtual std::vector<Site> sites(const CaptureScope& scope) const = 0;
  /// Checks what run() checks of a plan before it computes anything. Errors: InvalidArgument (a
  /// rule that matches no module, with near ones; a format that a kernel cannot follow),
  /// Unsupported.
  [[nodiscard]] virtual Result<> check(const PrecisionPlan& plan,
                                       const std::string& device) const = 0;
  /// Forward and, where the request asks for it, backward of the loss. Looks at `stop` at every
  /// module and ends with Cancelled. Errors: InvalidArgument (token beyond the vocabulary,
  /// documents that do not fill the sequence, plan that the model or the micro-batch cannot
  /// follow), OutOfMemory (what the run had taken is free again), Device (this process cannot use
  /// the device, or cannot any more: every later run on it fails), and whatever the observer
  /// returns.
  [[nodiscard]] virtual Result<RunOutcome> run(const RunRequest& request,
                                               Observer& observer,
                                               const std::stop_token& stop) = 0;
  /// Continues prompts, the first `length` tokens of each sequence of the micro-batches, by `count`
  /// + 1 tokens, each the one with the highest logit (the first of several), one position at a time
  /// with a cache: the micro-batches of a run of `request` that has BatchPlan::prompt. Observes
  /// nothing; `watch` is called behind each position, on this thread. Errors: those of run().
  [[nodiscard]] virtual Result<std::vector<TokenBatch>> generate(const RunRequest& request,
                                                                 std::int64_t count,
                                                                 const ChoiceWatch& watch,
                                                                 const std::stop_token& stop) = 0;
};

class Engine : public Interface {
 public:
  [[nodiscard]] virtual std::string torchVersion() const = 0;
  [[nodiscard]] virtual std::vector<FamilyInfo> families() const = 0;
  /// The CPU first. A process that will run on CUDA at all asks for this, or runs there, before its
  /// first run on the CPU: LibTorch counts its devices at its first backward pass.
  [[nodiscard]] virtual std::vector<DeviceInfo> devices() = 0;
  /// Gives the bytes of CUDA devices that a run could get now, as if each had what the least of
  /// them has. Errors: those of a run that names them.
  [[nodiscard]] virtual Result<std::uint64_t> freeBytes(const std::string& device) = 0;
  /// 0: what LibTorch takes by itself, one a core. Process-wide, before the first run; returns what
  /// is in force.
  virtual int setThreads(int threads) = 0;
  /// Why our own CUDA kernels cannot be loaded, with the remedy, or what they do wrong on a device:
  /// each runs them once. Empty: all is well.
  [[nodiscard]] virtual std::string cudaKernelsProblem() const = 0;
  /// The threads that runs on the CPU use. Between two operations they wait without sleeping, so
  /// that other threads would find no free core; whoever works between operations works on these.
  [[nodiscard]] virtual numerics::Team& team() = 0;
  /// Makes what compares the captures of runs on `device`; `options` are those of comparisons on
  /// the CPU, and their worstCount everywhere. Errors: those of a run that names the device.
  [[nodiscard]] virtual Result<std::unique_ptr<CaptureComparer>> captureComparer(
      const std::string& device, const numerics::CompareOptions& options) = 0;
  /// Makes what evaluates the loss of a request; the plan gives the format of the loss alone.
  /// Errors: InvalidArgument (tokens beyond the vocabulary, documents that do not fill the
  /// sequence, a loss without its data).
  [[nodiscard]] virtual Result<std::unique_ptr<StepLosses>> stepLosses(
      const RunRequest& request, std::int64_t vocabularySize) = 0;
  /// torch.randint(0, vocabulary, (batch, length + 1)) of a CPU generator with this seed.
  [[nodiscard]] virtual Result<TokenBatch> randomTokens(std::int64_t vocabulary,
                                                        std::int64_t batch,
                                                        std::int64_t length,
                                                        std::uint64_t seed) = 0;
  /// torch.randn(count) of a CPU generator with this seed.
  [[nodiscard]] virtual Result<std::vector<float>> randomNormals(std::int64_t count,
                                                                 std::uint64_t seed) = 0;
  /// Maps the weights, validates names and shapes. Errors: NotFound, CorruptData (file and tensor),
  /// Unsupported (architecture, with the supported ones), InvalidArgument (architecture override).
  [[nodiscard]] virtual Result<std::unique_ptr<Model>> openModel(const ModelRequest& request,
                                                                 const std::stop_token& stop) = 0;
};

/// Opens the engine's shared library: $ULP_ENGINE_LIBRARY when it is set, else beside the program,
/// else ../lib. LibTorch is that of openTorch(). The engine lives as long as the pointer; the
/// libraries stay in the process. Errors: Unsupported when this build has none, LibTorch is not
/// found or a library belongs to another version, with the remedy.
[[nodiscard]] Result<std::shared_ptr<Engine>> loadEngine();

}  // namespace ulp::engine
