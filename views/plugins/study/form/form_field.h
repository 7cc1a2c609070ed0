#pragma once

#include <QtWidgets/QWidget>

#include "core/study/schema/schema.h"
#include "core/study/yaml/yaml_tree.h"

namespace ulp::views {

/// The control of one key: a combo box for choices, a number with its range, a path with a browse
/// button, a list of patterns with a count of what they match. It only shows and asks: what the
/// user enters goes out, and comes back by show().
class FormField : public QWidget {
  Q_OBJECT

 public:
  /// Made for the key's type.
  [[nodiscard]] static FormField* make(const study::Key& key, QWidget* parent);

  [[nodiscard]] const study::Key& key() const { return m_key; }
  /// Null: not set; the default is shown. Emits nothing.
  virtual void show(const study::YamlNode* value) = 0;
  virtual void setReadOnly(bool readOnly) = 0;
  /// A line below the control, for keys that have one: "Matches 210 of 1061 sites …".
  virtual void setRemark(const QString& /*remark*/) {}
  /// What the key is where it is not set, for those of which the schema cannot say it.
  virtual void setFallback(const QString& /*value*/) {}
  /// Sends what is typed and was not sent yet.
  virtual void finish() {}
  /// One more value to choose from, for keys that have such a list, and what the list shows for it.
  virtual void offer(const QString& /*value*/, const QString& /*text*/) {}

 Q_SIGNALS:
  void edited(const ulp::study::YamlNode& value);
  void cleared();

 protected:
  FormField(const study::Key& key, QWidget* parent) : QWidget(parent), m_key(key) {}
  [[nodiscard]] QString defaultText() const;
  /// Gives the control the focus of the field and the name of the key.
  void setControl(QWidget* control);
  /// Emits edited() with the value of this text, or cleared() where it is blank.
  void sendText(const QString& entered);

 private:
  const study::Key& m_key;
};

}  // namespace ulp::views
