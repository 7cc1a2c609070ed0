#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/site.h"
#include "core/engine/engine.h"
#include "core/engine/python/python_process.h"

namespace ulp::engine {

/// What all runs of a model in Python share.
struct PythonRunParts {
  PythonProcess& process;
  const std::vector<Site>& sites;   ///< numbered as in Python
  Engine& engine;                   ///< evaluates losses
  std::vector<std::string>& notes;  ///< gets what Python warns of
  std::int64_t vocabularySize = 0;
  int threads = 1;          ///< of plans that name none
  bool hasOwnLoss = false;  ///< Python computes the loss
};

/// A site as Python tells it. Errors: Internal.
[[nodiscard]] Result<Site> siteIn(const json::Value& value);
/// A row and its pass as Python names them. Errors: Internal.
[[nodiscard]] Result<std::pair<Pass, std::string>> rowIn(const json::Value& value);
/// Those that a run of this scope may show.
[[nodiscard]] std::vector<Site> sitesIn(const std::vector<Site>& sites, const CaptureScope& scope);

/// What Python is told of how a run computes. `threads`: of a plan that names none.
[[nodiscard]] json::Object leversMessage(const PrecisionPlan& plan,
                                         const std::string& device,
                                         int threads);

/// One run: tells Python what to do, and goes along with it.
class PythonRun {
 public:
  PythonRun(PythonRunParts parts, const RunRequest& request, Observer& observer)
      : m_parts(parts), m_request(request), m_observer(observer) {}

  /// Errors: see Model::run().
  [[nodiscard]] Result<RunOutcome> run(const std::stop_token& stop);
  /// Errors: see Model::generate().
  [[nodiscard]] Result<std::vector<TokenBatch>> generate(std::int64_t count,
                                                         const ChoiceWatch& watch,
                                                         const std::stop_token& stop);
  /// What Python is asked for to list the operations of such a run. Errors: of the losses.
  [[nodiscard]] Result<json::Object> listing();
  /// Python has begun the run and not said how it ended: as after an error of the observer.
  [[nodiscard]] bool isGoingOn() const { return m_isGoingOn; }

 private:
  [[nodiscard]] Result<> prepare();
  [[nodiscard]] json::Object message(std::string_view what) const;
  [[nodiscard]] json::Value planMessage() const;
  [[nodiscard]] json::Value batchMessage(std::size_t microBatch) const;
  [[nodiscard]] Result<> answer(const json::Value& message);
  [[nodiscard]] Result<> show(const json::Value& message);
  /// The keys of the rows of a tensor; null where the message tells none.
  [[nodiscard]] Result<std::shared_ptr<const std::vector<std::int64_t>>> keysIn(
      const json::Value& message) const;
  [[nodiscard]] Result<> showChoice(const json::Value& message);
  /// The loss of a micro-batch, and its gradient where Python has made room for it.
  [[nodiscard]] Result<> evaluateLoss(const json::Value& message);
  [[nodiscard]] Result<> showLoss();
  /// The tensor that a message tells of; its place is free again once nobody holds it.
  [[nodiscard]] Result<Capture> captureIn(const json::Value& message) const;
  [[nodiscard]] Result<RunOutcome> outcomeOf(const json::Value& done) const;
  /// [[row, pass], …] as they are listed.
  [[nodiscard]] Result<std::vector<Site>> operationsIn(const json::Value& list) const;
  /// What is known of the operations, at level Op.
  [[nodiscard]] Result<> addOperations(const json::Value& operations, RunOutcome& outcome) const;

  PythonRunParts m_parts;
  const RunRequest& m_request;
  Observer& m_observer;
  std::unique_ptr<StepLosses> m_losses;  ///< null: Python has a loss of its own
  std::vector<std::size_t> m_wanted;     ///< among the sites
  std::size_t m_microBatch = 0;
  bool m_isGoingOn = false;
};

}  // namespace ulp::engine
