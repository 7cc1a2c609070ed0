#include "views/framework/settings/settings_writer.h"

#include <chrono>
#include <utility>

#include <QtCore/QFileInfo>
#include <QtCore/QSettings>

#include "core/base/files/folder_turn.h"

namespace ulp::views {
namespace {

constexpr std::chrono::milliseconds kTurnPatience{200};

SettingValues valuesOf(const QSettings& settings) {
  SettingValues values;
  for (const QString& key : settings.allKeys()) {
    values[key] = settings.value(key);
  }
  return values;
}

}  // namespace

SettingValues readSettings(const QString& file) {
  const QSettings settings(file, QSettings::IniFormat);
  // Behind a section whose name goes on in the next line Qt overlooks keys until it has looked at
  // all, and then has them.
  static_cast<void>(settings.allKeys());
  return valuesOf(settings);
}

SettingsWriter::SettingsWriter(QString file, std::function<void()> written)
    : m_file(std::move(file)),
      m_notify(std::move(written)),
      m_thread([this](const std::stop_token& stop) { loop(stop); }) {}

SettingsWriter::~SettingsWriter() = default;

void SettingsWriter::add(SettingsEdit edit) {
  const std::scoped_lock lock(m_mutex);
  m_waiting.push_back(std::move(edit));
  m_changed.notify_all();
}

void SettingsWriter::finish() {
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, [this] { return m_waiting.empty() && !m_isWriting; });
}

std::optional<SettingsWriter::Written> SettingsWriter::take() {
  const std::scoped_lock lock(m_mutex);
  return std::exchange(m_written, std::nullopt);
}

void SettingsWriter::loop(const std::stop_token& stop) {
  std::vector<SettingsEdit> edits;
  std::unique_lock lock(m_mutex);
  // Asked to stop, it ends when nothing waits any more.
  while (m_changed.wait(lock, stop, [this] { return !m_waiting.empty(); })) {
    edits.insert(edits.end(), m_waiting.begin(), m_waiting.end());
    m_waiting.clear();
    m_isWriting = true;
    lock.unlock();
    std::optional<SettingValues> values = write(edits);
    lock.lock();
    const std::size_t untaken = m_written ? m_written->edits : 0;
    m_written = {.values = std::move(values), .edits = untaken};
    if (m_written->values) {
      m_written->edits += edits.size();
      edits.clear();
    }
    m_isWriting = false;
    m_changed.notify_all();
    m_notify();
  }
}

std::optional<SettingValues> SettingsWriter::write(const std::vector<SettingsEdit>& edits) const {
  // Without a turn, because another window hangs or there is no folder yet, it is done all the
  // same: settings are no reason to wait.
  const auto turn = FolderTurn::take(QFileInfo(m_file).absolutePath().toStdString(), kTurnPatience);
  QSettings settings(m_file, QSettings::IniFormat);
  const SettingValues before = valuesOf(settings);
  SettingValues after = before;
  for (const SettingsEdit& edit : edits) {
    edit(after);
  }
  for (auto value = before.begin(); value != before.end(); ++value) {
    if (!after.contains(value.key())) {
      settings.remove(value.key());
    }
  }
  for (auto value = after.begin(); value != after.end(); ++value) {
    if (!before.contains(value.key()) || before[value.key()] != value.value()) {
      settings.setValue(value.key(), value.value());
    }
  }
  settings.sync();
  return settings.status() == QSettings::NoError ? std::optional(std::move(after)) : std::nullopt;
}

}  // namespace ulp::views
