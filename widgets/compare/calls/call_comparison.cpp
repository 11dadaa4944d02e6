#include "widgets/compare/calls/call_comparison.h"

#include "core/query/filters/time_text.h"
#include "widgets/compare/why/ledger_table.h"
#include "widgets/shell/field_grid.h"
#include "widgets/time/time_format.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace helio {

namespace {

constexpr std::size_t Most = 200; ///< Functions.

QLineEdit* makeLimit()
{
    auto* field = new QLineEdit;
    field->setPlaceholderText(QObject::tr("the median"));
    field->setToolTip(QObject::tr("A length with its unit, as 5ms or 20us: longer calls are B. Empty: the median of all."));
    field->setMaximumWidth(160);
    return field;
}

QTreeWidget* makeFunctions()
{
    auto* table = new QTreeWidget;
    table->setRootIsDecorated(false);
    table->setUniformRowHeights(true);
    table->setAllColumnsShowFocus(true);
    table->setHeaderLabels(
        {QObject::tr("Function, without what it called"), QObject::tr("A"), QObject::tr("B"), QObject::tr("B \u2212 A")});
    for (int column = 1; column < table->columnCount(); ++column)
        table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    table->header()->setStretchLastSection(false);
    table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    return table;
}

Duration inNs(double ns) { return Duration(std::llround(ns)); }

QString signedText(Duration d) { return (d > Duration::zero() ? QStringLiteral("+") : QString()) + durationText(d); }

} // namespace

struct CallComparison::Answer {
    CallSides sides;
    Ledger ledger;
    DifferenceTree callees;
};

CallComparison::CallComparison(std::shared_ptr<const Timeline> timeline, std::string kind, SampledFunction function,
                               std::optional<TimeRange> range, QWidget* parent)
    : QDialog(parent)
    , m_timeline(std::move(timeline))
    , m_kind(std::move(kind))
    , m_function(std::move(function))
    , m_range(range)
    , m_headline(makeLabel({}, 13, 600, "text.primary"))
    , m_limit(makeLimit())
    , m_table(new LedgerTable)
    , m_functions(makeFunctions())
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Slow and quick calls of %1").arg(QString::fromStdString(m_function.label())));
    m_headline->setWordWrap(true);
    auto* form = new QFormLayout;
    form->addRow(tr("Slow (B) are calls longer than"), m_limit);
    auto* close = new QDialogButtonBox(QDialogButtonBox::Close);
    close->button(QDialogButtonBox::Close)->setAutoDefault(false); // Return is for the length.
    connect(close, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* page = new QVBoxLayout(this);
    page->addWidget(m_headline);
    page->addLayout(form);
    page->addWidget(m_table);
    page->addWidget(m_functions, 1);
    page->addWidget(close);
    m_table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); // As high as it has lines.
    m_functions->setMinimumHeight(160);
    resize(760, 760);
    connect(m_limit, &QLineEdit::editingFinished, this, [this] {
        if (std::exchange(m_asked, m_limit->text()) != m_limit->text())
            ask();
    });
    ask();
}

QString CallComparison::headline() const { return m_headline->text(); }

void CallComparison::ask()
{
    const std::string given = m_limit->text().trimmed().toStdString();
    std::optional<Duration> limit;
    if (const auto ns = parseDuration(given))
        limit = Duration(*ns);
    if (!given.empty() && limit.value_or(Duration(-1)) < Duration::zero())
        return m_headline->setText(tr("\u201c%1\u201d is no length: give it with its unit, as 5ms or 20us").arg(m_limit->text()));
    m_headline->setText(tr("Comparing the calls\u2026"));
    const TimeRange range = m_range.value_or(TimeRange{Timestamp::min(), Timestamp::max()});
    m_job.post([this, timeline = m_timeline, kind = m_kind, function = m_function.label(), range, limit](std::stop_token stop) {
        auto answer = std::make_shared<const Answer>(answerTo(*timeline, kind, function, range, limit, std::move(stop)));
        return LatestJob::Delivery([this, answer] { take(*answer); });
    });
}

CallComparison::Answer CallComparison::answerTo(const Timeline& timeline, const std::string& kindName, const std::string& function,
                                                TimeRange range, std::optional<Duration> limit, std::stop_token stop)
{
    const auto all = [](const Row&, std::string_view, TimeRange) { return true; };
    Answer answer;
    const auto kind = callKind(timeline, kindName);
    if (!kind)
        return answer;
    CallsOfFunction found = callsOf(timeline, *kind, function, range, all, stop);
    answer.sides = partedByLength(std::move(found.calls), limit);
    answer.ledger = whySlower(timeline, answer.sides, stop);
    if (!answer.ledger.lines.empty())
        answer.callees = compareCallees(timeline, *kind, found.function, answer.sides, stop);
    return answer;
}

void CallComparison::take(const Answer& answer)
{
    const auto& [a, b, limit] = answer.sides;
    const auto calls = [](const std::vector<FunctionCall>& side) {
        return side.size() == 1 ? tr("1 call") : tr("%1 calls").arg(countText(qint64(side.size())));
    };
    m_ledger = answer.ledger;
    m_table->setLedger(m_ledger);
    m_functions->clear();
    if (m_ledger.lines.empty()) {
        m_headline->setText(b.empty() ? tr("None of %1 is longer than %2").arg(calls(a), durationText(limit))
                                      : tr("All %1 are longer than %2").arg(calls(b), durationText(limit)));
    } else {
        m_headline->setText(tr("A: %1 of at most %2, on average %3. B: %4 that are longer, on average %5.")
                                .arg(calls(a), durationText(limit), durationText(m_ledger.a), calls(b), durationText(m_ledger.b)));
        showFunctions(answer.callees);
    }
    emit answered();
}

void CallComparison::showFunctions(const DifferenceTree& tree)
{
    for (const FunctionDifference& it : functionDifferences(tree)) {
        if (std::size_t(m_functions->topLevelItemCount()) == Most)
            break;
        const SampledFunction& function = tree.functions[static_cast<std::size_t>(it.function)];
        auto* line = new QTreeWidgetItem(m_functions);
        line->setText(0, QString::fromStdString(function.label()));
        line->setText(1, durationText(inNs(it.self.scaledA(tree.scale))));
        line->setText(2, durationText(inNs(it.self.scaledB(tree.scale))));
        line->setText(3, signedText(inNs(it.self.difference(tree.scale))));
        for (int column = 1; column < 4; ++column)
            line->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
}

} // namespace helio
