#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QString>

#include "views/plugins/heatmap/part_job.h"

namespace ulp::views {

class Background;

/// Errors of tokens or heads, computed in the background and handed out as they come.
class PartErrorsLoader : public QObject {
  Q_OBJECT

 public:
  explicit PartErrorsLoader(Background& background, QObject* parent = nullptr);

  /// Replaces what is being computed.
  void start(PartRequest request);
  /// What has been computed stays; start() begins anew. progressed() follows.
  void stop();
  /// stop() without a word: nobody wants the result any more.
  void abandon();

  [[nodiscard]] bool isBusy() const { return m_busy; }
  [[nodiscard]] std::size_t total() const { return m_request ? m_request->sites.size() : 0; }
  /// One for each site so far.
  [[nodiscard]] const std::vector<PartColumn>& columns() const { return m_columns; }
  [[nodiscard]] int sampledColumns() const { return m_sampled; }
  /// Why columns of dumps are empty whose elements could not be read.
  [[nodiscard]] const std::vector<Error>& unreadable() const { return m_unreadable; }
  [[nodiscard]] std::int64_t sequenceLength() const { return m_sequenceLength; }
  [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

 Q_SIGNALS:
  void progressed();

 private:
  void next();
  void take(PartBatch batch);

  Background& m_background;
  QString m_tag;  ///< of this loader alone
  std::shared_ptr<const PartRequest> m_request;
  std::shared_ptr<KeptTensors> m_tensors;
  std::vector<PartColumn> m_columns;
  int m_sampled = 0;
  std::vector<Error> m_unreadable;
  std::int64_t m_sequenceLength = 0;
  std::optional<Error> m_error;
  bool m_busy = false;
};

}  // namespace ulp::views
