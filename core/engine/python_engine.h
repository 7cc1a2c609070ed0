#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/engine/engine.h"

/// The second engine: a model runs in the user's own Python, as their torch and `transformers` run
/// it, and shows its tensors through shared memory (resources/python/ulpscope_engine).
namespace ulp::engine {

struct PythonRequest {
  ModelRequest model;             ///< a folder with a config.json
  std::string factory{};          ///< "FILE.py:FUNCTION" that makes the model instead
  std::filesystem::path program;  ///< of Python; a bare name: in $PATH; empty: findPython()
  bool trustsCode = false;        ///< runs code that comes with the checkpoint
  int threads = 1;                ///< of runs whose plan names none
  std::string device = "cpu";     ///< on which the model is opened
};

/// What runs the model, for logs and reports.
struct PythonFacts {
  std::string program;
  std::string python;  ///< version, as of the two below
  std::string torch;
  std::string transformers;
  std::string modelClass;  ///< "Qwen3ForCausalLM"
};

/// By pass and name of rows.
using RowsOfSequences = std::map<std::pair<Pass, std::string>, bool>;

/// A model of the Python engine. Its runs follow torch's and the model's own code; of a plan they
/// honour compute format, cast, rules for modules in both passes, format of the head, attention,
/// matmul precision, threads and determinism, and PythonPlan. A run that is stopped ends the
/// process, and the next one begins another.
class PythonModel : public Model {
 public:
  [[nodiscard]] virtual const PythonFacts& facts() const = 0;
  /// How far the logits of a few random tokens are off where they go through the model in pieces,
  /// as the batch of the request does, beside those of one pass: RMS by RMS. More than rounding is
  /// what the model's cache does not carry. Errors: as those of a run.
  [[nodiscard]] virtual Result<double> errorInPieces(const RunRequest& request,
                                                     const std::stop_token& stop) = 0;
  /// Finds out of rows of such a run whether their first dimension is made of the sequences, one
  /// block after the other; false where no dimension is. Of those that are missing it is not known.
  /// Errors: as those of a run.
  [[nodiscard]] virtual Result<RowsOfSequences> rowsOfSequences(const RunRequest& request,
                                                                const std::stop_token& stop) = 0;
  /// What was found strange since the last call.
  [[nodiscard]] virtual std::vector<std::string> takeNotes() = 0;
};

/// Starts Python and opens the model there. `engine` evaluates the losses of its runs, with the
/// operations of the native engine, and must outlive it. Errors: NotFound (no Python), Unsupported
/// (torch or transformers is missing or too old, with the command that installs it; what
/// transformers does not open; code of a checkpoint that is not trusted), Cancelled.
[[nodiscard]] Result<std::unique_ptr<PythonModel>> openPythonModel(const PythonRequest& request,
                                                                   Engine& engine,
                                                                   const std::stop_token& stop);

}  // namespace ulp::engine
