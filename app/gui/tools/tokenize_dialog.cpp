#include "app/gui/tools/tokenize_dialog.h"

#include <string_view>

#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>

#include "app/gui/dumps/path_line.h"
#include "core/base/files/atomic_file.h"
#include "core/study/reading/study.h"
#include "core/text/characters/quoted.h"
#include "core/text/tokenizers/tokenizer.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/tables/table_window.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/severity.h"
#include "views/framework/widgets/text_label.h"

namespace ulp::app {
namespace {

/// As much as `ulpscope-cli tokenize` reads is too much for a field of text.
constexpr std::size_t kLargestText = std::size_t{1} << 20;

Result<report::DataTable> tokensOf(const std::string& model, const std::string& input) {
  study::Study study;
  study.modelPath = model;
  const auto path = ULP_TRY(study::resolveModelPath(study));
  const auto tokenizer = ULP_TRY(text::loadTokenizer(path));
  const auto tokens = ULP_TRY(tokenizer->encode(input));
  report::DataTable table{.title = tokenizer->description(),
                          .columns = report::columnsOf("position; id; begin; end; piece; text")};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const text::Token& token = tokens[i];
    table.rows.push_back(
        {static_cast<double>(i),
         static_cast<double>(token.id),
         static_cast<double>(token.begin),
         static_cast<double>(token.end),
         tokenizer->spelling(token.id),
         text::quoted(std::string_view(input).substr(token.begin, token.end - token.begin))});
  }
  return table;
}

}  // namespace

TokenizeDialog::TokenizeDialog(views::Background& background,
                               const views::ThemeManager& themes,
                               QWidget* parent)
    : QDialog(parent),
      m_background(background),
      m_model(new PathLine(
          QStringLiteral("model"),
          tr("Model"),
          {{tr("File…"), {.title = tr("Choose a model or tokenizer file")}},
           {tr("Folder…"),
            {.title = tr("Choose the folder of a model"), .wanted = views::FileWanted::Folder}}},
          this)),
      m_text(new QPlainTextEdit(this)),
      m_table(new QTableView(this)),
      m_state(views::makeTextLabel(this)) {
  setObjectName(QStringLiteral("tokenize"));
  setWindowTitle(tr("Tokenize a text"));
  m_model->line().setPlaceholderText(
      tr("Model folder, .gguf, hub ID, tokenizer.json or tokenizer.model"));
  m_text->setObjectName(QStringLiteral("text"));
  m_text->setAccessibleName(tr("Text"));
  m_text->setPlaceholderText(tr("What is tokenised"));
  m_text->setTabChangesFocus(true);
  m_table->setObjectName(QStringLiteral("tokens"));
  m_table->setAccessibleName(tr("Tokens"));
  views::setUpTable(*m_table, themes);
  auto* modelName = new QLabel(tr("&Model"), this);
  modelName->setBuddy(m_model);
  auto* textName = new QLabel(tr("&Text"), this);
  textName->setBuddy(m_text);
  auto* file = new QPushButton(tr("From a &file…"), this);
  file->setObjectName(QStringLiteral("file"));
  file->setToolTip(tr("Take the text of a UTF-8 file"));
  file->setAutoDefault(false);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  m_go = buttons->addButton(tr("T&okenize"), QDialogButtonBox::ActionRole);
  m_go->setDefault(true);
  views::columnOf(this,
                  {views::rowOf(nullptr, {modelName, {m_model, 1}}),
                   views::rowOf(nullptr, {textName, views::BoxItem::stretch(), file}),
                   {m_text, 1},
                   m_state,
                   {m_table, 2},
                   buttons},
                  {.spacing = 8});
  connect(buttons, &QDialogButtonBox::rejected, this, &TokenizeDialog::reject);
  connect(m_go, &QPushButton::clicked, this, &TokenizeDialog::tokenize);
  connect(file, &QPushButton::clicked, this, [this] {
    views::askForFile(
        this, {.title = tr("Choose a text file")}, [this](const QString& path) { readFile(path); });
  });
  const auto update = [this] { m_go->setEnabled(!m_model->text().isEmpty()); };
  connect(m_model, &PathLine::changed, this, update);
  update();
  say(tr("Nothing tokenised yet."), false);
  resize(fontMetrics().averageCharWidth() * 100, fontMetrics().lineSpacing() * 32);
}

QString TokenizeDialog::stateText() const {
  return m_state->text();
}

void TokenizeDialog::say(const QString& text, bool isProblem) {
  m_state->setText(
      isProblem ? views::severityGlyph(views::Severity::Broken) + QLatin1Char(' ') + text : text);
}

void TokenizeDialog::readFile(const QString& path) {
  m_background.run<Result<std::string>>(
      views::workTagOf(this, "read-text"),
      this,
      [path = path.toStdString()](const std::stop_token& /*stop*/) {
        return readTextFile(path, kLargestText);
      },
      [this](const Result<std::string>& text) {
        if (text) {
          m_text->setPlainText(QString::fromStdString(*text));
        } else {
          say(QString::fromStdString(text.error().message()), true);
        }
      });
}

void TokenizeDialog::tokenize() {
  say(tr("Tokenising…"), false);
  m_background.run<Result<report::DataTable>>(
      views::workTagOf(this, "tokenize"),
      this,
      [model = m_model->text().toStdString(), text = m_text->toPlainText().toStdString()](
          const std::stop_token& /*stop*/) { return tokensOf(model, text); },
      [this](const Result<report::DataTable>& tokens) { showTokens(tokens); });
}

void TokenizeDialog::showTokens(const Result<report::DataTable>& tokens) {
  delete m_table->model();
  if (!tokens) {
    say(QString::fromStdString(tokens.error().message()), true);
    return;
  }
  say(tr("%1: %n token(s)", nullptr, static_cast<int>(tokens->rows.size()))
          .arg(QString::fromStdString(tokens->title)),
      false);
  m_table->setModel(new views::DataTableModel(*tokens, m_table));
  views::fitColumns(*m_table);
  m_table->horizontalHeader()->setStretchLastSection(true);
}

}  // namespace ulp::app
