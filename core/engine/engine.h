#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/site.h"
#include "core/numerics/team.h"
#include "core/numerics/tensor_view.h"

/// The evaluation engine as everybody else sees it: no LibTorch types. The implementation is a
/// shared library that loadEngine() opens, so that a program which only reads reports never loads
/// LibTorch.
namespace ulp::engine {

/// What changes when a model is cast to a lower precision.
enum class Cast : std::uint8_t {
  Load,   ///< parameters rounded, rotary tables stay float32: from_pretrained(dtype=…)
  Module  ///< buffers rounded as well: model.to(dtype)
};

enum class AttentionImplementation : std::uint8_t { Eager, Sdpa };

/// Formats of one run. The LM head upcasts the already rounded weights, as Fast-LLM does; the
/// residual stream of another dtype than `compute` is read by the norms in its own dtype.
struct PrecisionPlan {
  DType compute = DType::Float32;
  DType residual = DType::Float32;
  DType lmHead = DType::Float32;
  Cast cast = Cast::Load;
  AttentionImplementation attention = AttentionImplementation::Sdpa;
};

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
  std::string weightsDigest;  ///< SHA-256 over the weight files, or over {config, seed} when random
};

/// Token ids, row-major [batch, length + 1]: inputs are the first `length` columns, labels the
/// last.
struct TokenBatch {
  std::vector<std::int64_t> ids;
  std::int64_t batch = 1;
  std::int64_t length = 0;
};

/// A tensor that a run made at a site. The view is host memory, contiguous, never written again as
/// long as somebody holds `owner`; holding it costs no copy.
struct Capture {
  numerics::TensorView view;
  std::shared_ptr<const void> owner;
};

/// Receives the tensors of a run, in the order of Model::sites(). The calls come one after another,
/// on the thread that called Model::run() when the run is on the CPU; on a CUDA device those of the
/// backward pass come from a thread of LibTorch while that thread waits.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Asked once a run for each site of Model::sites(); a site that is not wanted costs nothing.
  [[nodiscard]] virtual bool wants(const Site& site) = 0;
  /// An error ends the run and is returned by Model::run().
  [[nodiscard]] virtual Result<> observe(const Site& site, const Capture& capture) = 0;
  /// Called as the run moves on, also between captured sites; `site` is where it is.
  virtual void progressed(Pass /*pass*/, std::string_view /*site*/) {}

 protected:
  Observer() = default;
  Observer(const Observer&) = default;
  Observer& operator=(const Observer&) = default;
};

struct RunRequest {
  PrecisionPlan plan;
  TokenBatch tokens;
  Level level = Level::Module;
  bool parameterGradients = true;
  std::string device = "cpu";  ///< "cpu", "cuda", "cuda:1"
};

struct RunOutcome {
  double loss = 0;
  double seconds = 0;           ///< forward and backward, without loading, casting and observing
  std::uint64_t peakBytes = 0;  ///< of the device; on the CPU the process's peak resident set
};

/// A loaded model: weights in their stored format, shared by all runs, cast anew for each.
class Model {
 public:
  virtual ~Model() = default;
  /// Waits, the first time, for the digest of the weights.
  [[nodiscard]] virtual const ModelInfo& info() const = 0;
  /// Every site that a run at this level observes, in the order of execution.
  [[nodiscard]] virtual std::vector<Site> sites(Level level, bool parameterGradients) const = 0;
  /// Forward and backward of the mean next-token cross-entropy. Looks at `stop` at every module and
  /// ends with Cancelled. Errors: InvalidArgument (token beyond the vocabulary, plan that the model
  /// cannot follow), OutOfMemory, Device, and whatever the observer returns.
  [[nodiscard]] virtual Result<RunOutcome> run(const RunRequest& request,
                                               Observer& observer,
                                               const std::stop_token& stop) = 0;

 protected:
  Model() = default;
  Model(const Model&) = default;
  Model& operator=(const Model&) = default;
};

struct DeviceInfo {
  std::string id;    ///< "cpu", "cuda:0"
  std::string name;  ///< "AMD EPYC …", "NVIDIA H200"
  std::uint64_t memoryBytes = 0;
  std::string note;  ///< why it cannot be used, or what is slower than it could be; empty: fine
};

struct FamilyInfo {
  std::string id;                              ///< "llama"
  std::vector<std::string> architectures;      ///< names in config.json: "LlamaForCausalLM"
  std::vector<std::string> ggufArchitectures;  ///< general.architecture: "llama"
};

class Engine {
 public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual std::string torchVersion() const = 0;
  [[nodiscard]] virtual std::vector<FamilyInfo> families() const = 0;
  /// The CPU first. A process that will run on CUDA at all asks for this, or runs there, before its
  /// first run on the CPU: LibTorch counts its devices at its first backward pass.
  [[nodiscard]] virtual std::vector<DeviceInfo> devices() = 0;
  /// 0: what LibTorch takes by itself, one a core. Process-wide, before the first run; returns what
  /// is in force.
  virtual int setThreads(int threads) = 0;
  /// The threads that runs on the CPU use. Between two operations they wait without sleeping, so
  /// that other threads would find no free core; whoever works between operations works on these.
  [[nodiscard]] virtual numerics::Team& team() = 0;
  /// torch.randint(0, vocabulary, (batch, length + 1)) of a CPU generator with this seed.
  [[nodiscard]] virtual Result<TokenBatch> randomTokens(std::int64_t vocabulary,
                                                        std::int64_t batch,
                                                        std::int64_t length,
                                                        std::uint64_t seed) = 0;
  /// Maps the weights, validates names and shapes. Errors: NotFound, CorruptData (file and tensor),
  /// Unsupported (architecture, with the supported ones), InvalidArgument (architecture override).
  [[nodiscard]] virtual Result<std::unique_ptr<Model>> openModel(const ModelRequest& request,
                                                                 const std::stop_token& stop) = 0;

 protected:
  Engine() = default;
  Engine(const Engine&) = default;
  Engine& operator=(const Engine&) = default;
};

/// Opens the engine's shared library: $ULP_ENGINE_LIBRARY when it is set, else beside the program,
/// else ../lib. The engine lives as long as the pointer; the library stays in the process. Errors:
/// Unsupported when this build has none, LibTorch is not found or the library belongs to another
/// version, with the remedy.
[[nodiscard]] Result<std::shared_ptr<Engine>> loadEngine();

}  // namespace ulp::engine
