#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include <QtCore/QMap>
#include <QtCore/QString>
#include <QtCore/QVariant>

namespace ulp::views {

/// By key. Of a file that was read a number is text.
using SettingValues = QMap<QString, QVariant>;
/// Depends on nothing else than the values that it changes: it is called in several threads.
using SettingsEdit = std::function<void(SettingValues&)>;

/// What an INI file holds; nothing, where there is none.
[[nodiscard]] SettingValues readSettings(const QString& file);

/// Edits a settings file in a thread of its own, since a busy disk may take seconds for it. Each
/// edit is applied to what the file holds by then, in turns with other windows.
class SettingsWriter {
 public:
  struct Written {
    /// Of the file, with what other windows wrote. Nothing: it cannot be written, and the edits are
    /// tried again with the next.
    std::optional<SettingValues> values;
    std::size_t edits = 0;  ///< that are in `values`, and were not in those taken before
  };

  /// Calls `written` in the thread of its own when something can be taken.
  SettingsWriter(QString file, std::function<void()> written);
  /// Waits until all is written.
  ~SettingsWriter();
  SettingsWriter(const SettingsWriter&) = delete;
  SettingsWriter& operator=(const SettingsWriter&) = delete;

  void add(SettingsEdit edit);
  /// Waits until all is written.
  void finish();
  /// What was written since the last call; nothing: nothing was.
  [[nodiscard]] std::optional<Written> take();

 private:
  void loop(const std::stop_token& stop);
  [[nodiscard]] std::optional<SettingValues> write(const std::vector<SettingsEdit>& edits) const;

  QString m_file;
  std::function<void()> m_notify;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::vector<SettingsEdit> m_waiting;
  bool m_isWriting = false;
  std::optional<Written> m_written;
  std::jthread m_thread;  ///< last: uses the others
};

}  // namespace ulp::views
