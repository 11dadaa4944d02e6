#include "widgets/compare/calls/call_comparison.h"

#include "core/compare/difference_text.h"
#include "core/query/filters/time_text.h"
#include "widgets/async/shared_query.h"
#include "widgets/compare/calls/call_difference_view.h"
#include "widgets/compare/why/breakdown_table.h"
#include "widgets/controls/field_grid.h"
#include "widgets/controls/menus.h"
#include "widgets/controls/table_style.h"
#include "widgets/time/time_format.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

constexpr std::size_t Most = 200; ///< Maximum number of functions in the list.

QLineEdit* makeLimit()
{
    auto* field = new QLineEdit;
    field->setPlaceholderText(QObject::tr("the median"));
    field->setAccessibleName(QObject::tr("Duration from which a call is slow"));
    field->setToolTip(QObject::tr("A duration with its unit, e.g. 5ms or 20us: longer calls are B. Empty: the median of all."));
    field->setMaximumWidth(160);
    return field;
}

} // namespace

struct CallComparison::QueryResult {
    SplitCalls sides;
    Breakdown breakdown;
    DifferenceTree callees;
};

CallComparison::CallComparison(std::shared_ptr<const Timeline> timeline, std::string kind, SampledFunction function,
                               std::optional<TimeRange> range, QWidget* parent)
    : QDialog(parent)
    , m_timeline(std::move(timeline))
    , m_kinds(callKinds(*m_timeline))
    , m_kind(std::move(kind))
    , m_function(std::move(function))
    , m_range(range)
    , m_headline(makeLabel({}, 13, 600, "text.primary"))
    , m_detail(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_limit(makeLimit())
    , m_table(new BreakdownTable)
    , m_work(new ManualQuery(this))
    , m_flame(new CallDifferenceView(*m_work, [this](QMenu* menu) { fillKinds(menu); }))
    , m_functions(new QTreeWidget)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Slow and fast calls of %1").arg(QString::fromStdString(m_function.label())));
    std::erase_if(m_kinds, [this](const CallKind& it) { return it.segments != m_kind; });
    for (QLabel* label : {m_headline, m_detail}) {
        label->setTextFormat(Qt::PlainText); // Names of templates contain angle brackets, which must not be parsed as HTML.
        label->setWordWrap(true);
    }
    auto* form = new QFormLayout;
    form->addRow(tr("Slow (B) are calls longer than"), m_limit);
    m_functions->setAllColumnsShowFocus(true);
    setItemColumns(*m_functions, {tr("Function, excluding callees"), tr("A"), tr("B"), tr("B \u2212 A")});
    auto* pages = new QTabWidget;
    pages->setDocumentMode(true);
    pages->addTab(m_flame, tr("Differential flame graph"));
    pages->addTab(m_functions, tr("Functions"));
    auto* close = new QDialogButtonBox(QDialogButtonBox::Close);
    close->button(QDialogButtonBox::Close)->setAutoDefault(false); // The Return key must submit the duration field, not close the dialog.
    connect(close, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* page = new QVBoxLayout(this);
    page->addWidget(m_headline);
    page->addWidget(m_detail);
    page->addLayout(form);
    page->addWidget(m_table);
    page->addWidget(pages, 1);
    page->addWidget(close);
    // The table is exactly as high as its rows, so that there is no empty space below them.
    m_table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    pages->setMinimumHeight(240);
    resize(940, 820);
    wire();
    ask();
}

/// The graph is deleted first, because it refers to m_work.
CallComparison::~CallComparison() { delete m_flame; }

void CallComparison::wire()
{
    connect(m_limit, &QLineEdit::editingFinished, this, [this] {
        if (std::exchange(m_asked, m_limit->text()) != m_limit->text())
            ask();
    });
}

/// Adds the choices for the meaning of frame widths to a menu: total time of calls, their time on a CPU, or their time by thread state.
void CallComparison::fillKinds(QMenu* menu)
{
    for (const CallKind& it : m_kinds)
        addExclusiveAction(menu, QString::fromStdString(it.facts.label()), it.facts.kind.name == m_kind, [this, name = it.facts.kind.name] {
            m_kind = name;
            ask();
        });
}

QString CallComparison::headline() const { return m_headline->text(); }

QString CallComparison::detail() const { return m_detail->text(); }

void CallComparison::ask()
{
    const std::string given = m_limit->text().trimmed().toStdString();
    std::optional<Duration> limit;
    if (const auto ns = parseDuration(given))
        limit = Duration(*ns);
    if (!given.empty() && limit.value_or(Duration(-1)) < Duration::zero())
        return m_headline->setText(tr("\u201c%1\u201d is not a duration: give a number and a unit, e.g. 5ms or 20us").arg(m_limit->text()));
    m_headline->setText(tr("Comparing the calls of %1\u2026").arg(QString::fromStdString(m_function.label())));
    for (const CallKind& it : m_kinds)
        if (it.facts.kind.name == m_kind)
            m_flame->setKind(QString::fromStdString(it.facts.label()));
    const TimeRange range = m_range.value_or(TimeRange{Timestamp::min(), Timestamp::max()});
    m_job.post([this, timeline = m_timeline, kind = m_kind, function = m_function, range, limit](std::stop_token stop) {
        auto answer = std::make_shared<const QueryResult>(answerTo(*timeline, kind, function, range, limit, std::move(stop)));
        return LatestTask::Delivery([this, answer] { take(*answer); });
    });
}

CallComparison::QueryResult CallComparison::answerTo(const Timeline& timeline, const std::string& kindName, const SampledFunction& function,
                                                     TimeRange range, std::optional<Duration> limit, std::stop_token stop)
{
    const auto all = [](const Row&, std::string_view, TimeRange) { return true; };
    QueryResult answer;
    const auto kind = callKind(timeline, kindName);
    if (!kind)
        return answer;
    CallsOfFunction found = callsOf(timeline, *kind, function, range, all, stop);
    answer.sides = splitByDuration(std::move(found.calls), limit);
    answer.breakdown = computeBreakdown(timeline, answer.sides, stop);
    if (!answer.breakdown.lines.empty())
        answer.callees = compareCallees(timeline, *kind, found.function, answer.sides, stop);
    return answer;
}

void CallComparison::take(const QueryResult& answer)
{
    const auto& [a, b, limit] = answer.sides;
    const QString function = QString::fromStdString(m_function.label());
    const auto calls = [](const std::vector<FunctionCall>& side) {
        return side.size() == 1 ? tr("1 call") : tr("%1 calls").arg(countText(qint64(side.size())));
    };
    m_breakdown = answer.breakdown;
    m_table->setBreakdown(m_breakdown);
    m_functions->clear();
    m_detail->setText(detailOf());
    m_detail->setVisible(!m_detail->text().isEmpty());
    if (m_breakdown.lines.empty())
        m_headline->setText(b.empty() ? tr("%1: none of %2 is longer than %3").arg(function, calls(a), durationText(limit))
                                      : tr("%1: all %2 are longer than %3").arg(function, calls(b), durationText(limit)));
    else
        m_headline->setText(tr("%1: %2 of up to %3 (A), %4 that are longer (B)").arg(function, calls(a), durationText(limit), calls(b)));
    showFunctions(answer.callees);
    m_flame->setDifference(answer.callees, m_breakdown.lines.empty() ? tr("There are no two sides to compare.") : QString());
    emit answered();
}

/// Formats both mean durations in the same unit, so that they are easy to compare.
QString CallComparison::detailOf() const
{
    const double a = double(m_breakdown.a.count());
    const double b = double(m_breakdown.b.count());
    if (m_breakdown.lines.empty())
        return {};
    const auto text = [largest = std::max(a, b)](double ns) { return QString::fromStdString(amountText(ns, DifferenceUnit(), largest)); };
    return tr("On average %1 in A, %2 in B (%3). %4")
        .arg(text(a), text(b), QString::fromStdString(ratioText(a, b)),
             m_range ? tr("Only calls in the selected range.") : tr("All recorded calls."));
}

void CallComparison::showFunctions(const DifferenceTree& tree)
{
    const std::vector<FunctionDifference> functions = computeFunctionDifferences(tree);
    double largest = 0; // Largest amount of all functions, which determines the unit of the column.
    for (const FunctionDifference& it : functions)
        largest = std::max({largest, it.self.scaledA(tree.scale), it.self.scaledB(tree.scale)});
    const auto text = [largest](double ns) { return QString::fromStdString(amountText(ns, DifferenceUnit(), largest)); };
    for (const FunctionDifference& it : functions) {
        if (std::size_t(m_functions->topLevelItemCount()) == Most)
            break;
        const SampledFunction& function = tree.functions[static_cast<std::size_t>(it.function)];
        const QString name = QString::fromStdString(function.label());
        const QString difference = QString::fromStdString(differenceText(it.self.difference(tree.scale), DifferenceUnit(), largest));
        addItemLine(*m_functions, {name, text(it.self.scaledA(tree.scale)), text(it.self.scaledB(tree.scale)), difference})
            ->setToolTip(0, name);
    }
}

} // namespace helio
