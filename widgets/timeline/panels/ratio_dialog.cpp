#include "widgets/timeline/panels/ratio_dialog.h"

#include "core/counters/ratios.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStringListModel>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

constexpr int FormulaWidth = 420;
constexpr int MostProposals = 12;
constexpr qsizetype MostListed = 400; ///< Maximum number of characters in the list of names, and in an error message.

bool isPartOfName(QChar c) { return c.isLetterOrNumber() || QStringLiteral("_.:-\"").contains(c); }

QString cut(const QString& words) { return words.size() > MostListed ? words.left(MostListed) + QChar(0x2026) : words; }

/// Returns the position where the name before the cursor begins.
int beginOfName(const QString& text, int cursor)
{
    const auto quotes = text.left(cursor).count('"');
    if (quotes % 2 == 1)
        return int(text.left(cursor).lastIndexOf('"'));
    while (cursor > 0 && isPartOfName(text[cursor - 1]))
        --cursor;
    return cursor;
}

} // namespace

RatioDialog::RatioDialog(std::vector<ViewSeries> series, std::vector<std::string> taken, QWidget* parent)
    : QDialog(parent)
    , m_series(std::move(series))
    , m_taken(std::move(taken))
    , m_edit(new QLineEdit)
    , m_names(new QCompleter(names(), this))
    , m_words(new QLabel)
{
    setWindowTitle(tr("Counter ratio"));
    auto* layout = new QVBoxLayout(this);
    auto* question = new QLabel(tr("Formula over time: a name stands for what its counter counted in an interval. Use + − * / ( ) and "
                                   "numbers."));
    auto* listed = new QLabel(tr("Counters: %1").arg(cut(names().join(", "))));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_ok = buttons->button(QDialogButtonBox::Ok);
    m_edit->setMinimumWidth(FormulaWidth);
    m_edit->setAccessibleName(tr("Formula"));
    m_edit->setPlaceholderText("instructions / cycles");
    listed->setTextFormat(Qt::PlainText); // Names from a trace must be shown as plain text, not as HTML.
    m_words->setTextFormat(Qt::PlainText);
    for (QLabel* label : {question, listed, m_words})
        label->setWordWrap(true);
    m_words->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    // A constant minimum height, so that the dialog does not resize while the user types.
    m_words->setMinimumHeight(2 * m_words->fontMetrics().lineSpacing());
    for (QWidget* widget : std::initializer_list<QWidget*>{question, m_edit, m_words, listed, buttons})
        layout->addWidget(widget);
    m_names->setWidget(m_edit);
    m_names->setFilterMode(Qt::MatchContains);
    m_names->setCaseSensitivity(Qt::CaseInsensitive);
    m_names->setMaxVisibleItems(MostProposals);
    connect(m_names, qOverload<const QString&>(&QCompleter::activated), this, &RatioDialog::insert);
    connect(m_edit, &QLineEdit::textChanged, this, &RatioDialog::check);
    connect(m_edit, &QLineEdit::textEdited, this, &RatioDialog::propose);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(&Themes::instance(), &Themes::changed, this, &RatioDialog::updateLook);
    m_edit->setText(text(suggestRatio(m_series, m_taken)));
    m_edit->selectAll();
    check();
}

/// Returns the distinct counter names, quoted as in a formula.
QStringList RatioDialog::names() const
{
    QStringList all;
    for (const ViewSeries& it : m_series)
        all.append(text(quoteForFormula(it.title)));
    all.removeAll(QString());
    all.removeDuplicates();
    all.sort();
    return all;
}

std::optional<CounterFormula> RatioDialog::formula() const
{
    auto parsed = CounterFormula::parse(m_edit->text().trimmed().toStdString());
    return parsed && problem().isEmpty() ? std::optional(std::move(*parsed)) : std::nullopt;
}

QString RatioDialog::problem() const
{
    const std::string written = m_edit->text().trimmed().toStdString();
    const auto parsed = CounterFormula::parse(written);
    if (!parsed)
        return text(parsed.error().what);
    if (const std::string unknown = unknownNamesMessage(m_series, parsed->names()); !unknown.empty())
        return cut(text(unknown));
    if (parsed->isName())
        return tr("this is a single counter, which is already drawn");
    if (findRowsWithSeries(m_series, parsed->names()).empty())
        return tr("nothing here has all of these counters");
    return std::ranges::find(m_taken, written) != m_taken.end() ? tr("this ratio already exists") : QString();
}

void RatioDialog::check()
{
    const QString wrong = problem();
    const auto parsed = formula();
    const auto curves = parsed ? qint64(findRowsWithSeries(m_series, parsed->names()).size()) : 0;
    m_words->setText(!wrong.isEmpty() ? wrong : curves == 1 ? tr("1 curve") : tr("%1 curves").arg(countText(curves)));
    m_edit->setAccessibleDescription(wrong);
    m_ok->setEnabled(parsed.has_value());
    updateLook();
}

void RatioDialog::updateLook()
{
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, theme().color(m_ok->isEnabled() ? "text.secondary" : "severity.error"));
    m_words->setPalette(colors);
}

/// Shows completions that contain the typed part of a name, unless the name is complete and the only match.
void RatioDialog::propose()
{
    const int begin = beginOfName(m_edit->text(), m_edit->cursorPosition());
    const QString written = m_edit->text().mid(begin, m_edit->cursorPosition() - begin);
    m_names->setCompletionPrefix(written.startsWith('"') ? written.mid(1) : written);
    const bool isWhole = m_names->completionCount() == 1 && m_names->currentCompletion() == written;
    if (written.isEmpty() || isWhole || m_names->completionCount() == 0)
        m_names->popup()->hide();
    else
        m_names->complete();
}

void RatioDialog::insert(const QString& name)
{
    const int cursor = m_edit->cursorPosition();
    const int begin = beginOfName(m_edit->text(), cursor);
    m_edit->setText(m_edit->text().left(begin) + name + m_edit->text().mid(cursor));
    m_edit->setCursorPosition(begin + int(name.size()));
}

} // namespace helio
