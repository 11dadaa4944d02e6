#include "widgets/docks/findings/findings_view.h"

#include "core/findings/occurrences.h"
#include "core/query/rows/facts.h"
#include "widgets/controls/copy_text.h"
#include "widgets/controls/icons.h"
#include "widgets/docks/findings/finding_card.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {

namespace {

enum Scope { WholeTrace, SelectedRange };

/// Removes all widgets of a layout. They are deleted later, because one of them may have emitted the signal that is being handled.
void empty(QLayout& layout)
{
    while (QLayoutItem* const item = layout.takeAt(0)) {
        if (QWidget* const widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

QLabel* wrappingLine(const QString& text, qreal size, int weight, const char* role)
{
    QLabel* const label = makeLabel(text, size, weight, role);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setTextFormat(Qt::PlainText);
    label->setContentsMargins(14, 0, 14, 0);
    QSizePolicy policy = label->sizePolicy(); // Keeps the height-for-width flag.
    policy.setHorizontalPolicy(QSizePolicy::Ignored);
    label->setSizePolicy(policy);
    return label;
}

} // namespace

FindingsView::FindingsView(ViewContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_count(makeLabel({}, 15, 600, "text.primary"))
    , m_what(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_scope(new QComboBox)
    , m_page(new ScrollPage)
    , m_finders(makeLabel({}, 11, 400, "text.hint"))
    , m_copy(new QPushButton(tr("Copy as text")))
{
    for (QLabel* const label : {m_what, m_finders}) // Their texts must not widen the dock.
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_finders->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(14, 10, 14, 8);
    head->setSpacing(10);
    head->addWidget(m_count, 0, Qt::AlignBaseline);
    head->addWidget(m_what, 1, Qt::AlignBaseline);
    head->addWidget(m_scope);
    layout->addLayout(head);
    m_scope->addItems({tr("Whole trace"), tr("Selected range")});
    m_scope->setAccessibleName(tr("Range in which to look"));
    m_page->setAccessibleName(tr("Findings"));
    m_page->content()->setContentsMargins(0, 0, 0, 10);
    m_page->content()->setSpacing(0);
    layout->addWidget(m_page, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(14, 8, 14, 8);
    auto* save = new QPushButton(tr("Save report…"));
    connect(save, &QPushButton::clicked, this, [this] { m_context.trigger("file.save-report"); });
    connect(m_copy, &QPushButton::clicked, this, [this] { copyText(plainText()); });
    foot->addWidget(save);
    foot->addWidget(m_copy);
    foot->addWidget(m_finders, 1);
    layout->addLayout(foot);
    setFocusProxy(m_page);
    connect(m_scope, &QComboBox::currentIndexChanged, this, &FindingsView::fetch);
    connect(&context, &ViewContext::timelineChanged, this, &FindingsView::fetch);
    connect(&context.time(), &TimeWindow::selectionChanged, this, [this] {
        if (isOfSelection())
            fetch();
    });
    connect(&Themes::instance(), &Themes::changed, this, &FindingsView::fill);
    fill();
}

bool FindingsView::isOfSelection() const { return m_scope->currentIndex() == SelectedRange; }

void FindingsView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    fetch();
}

void FindingsView::fetch()
{
    if (!isVisible()) // showEvent() fetches when the view becomes visible.
        return;
    const auto timeline = m_context.timeline();
    const TimeRange selection = m_context.time().selection();
    const bool canLook = timeline && isComplete(*timeline) && hasTimes(*timeline) && (!isOfSelection() || !selection.isEmpty());
    if (!canLook) {
        m_job.cancel();
        m_asked = nullptr;
        m_findings = nullptr;
        return fill();
    }
    const TimeRange range = isOfSelection() ? selection : TimeRange{Timestamp::min(), Timestamp::max()};
    if (m_asked == timeline && m_askedRange == range)
        return;
    m_asked = timeline;
    m_askedRange = range;
    m_job.post([this, timeline, range](std::stop_token stop) -> LatestTask::Delivery {
        FindingRequest request{timeline, range, {}, stop};
        const auto progress = [&](const Findings& soFar) {
            m_job.deliver(stop, [this, done = soFar.done] { m_what->setText(tr("looking: %1 finders").arg(done)); });
        };
        auto findings = std::make_shared<const Findings>(collectFindings(request, progress));
        if (stop.stop_requested())
            return {};
        const TimeRange window = rangeOf(*timeline).clippedTo(range);
        return [this, timeline, findings, window] { take(timeline, findings, window); };
    });
    fill();
}

void FindingsView::take(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Findings> findings, TimeRange window)
{
    m_of = std::move(timeline);
    m_findings = std::move(findings);
    m_window = window;
    fill();
}

void FindingsView::fill()
{
    m_cards.clear();
    QVBoxLayout& list = *m_page->content();
    empty(list);
    m_copy->setEnabled(m_findings != nullptr);
    m_finders->clear();
    if (!m_findings) {
        const auto timeline = m_context.timeline();
        m_count->setText(tr("What stands out"));
        m_what->clear();
        const QString why = !timeline            ? tr("No trace open.")
            : !isComplete(*timeline)             ? tr("The recording is being read.")
            : !hasTimes(*timeline)               ? tr("This file has no times. The flame graph shows where time was spent.")
            : isOfSelection() && !m_job.isBusy() ? tr("Select a range: drag over the ruler or over rows.")
                                                 : QString();
        if (!why.isEmpty())
            list.addWidget(wrappingLine(why, 12, 400, "text.secondary"));
        list.addStretch(1);
        return;
    }
    const auto count = qint64(m_findings->all.size());
    m_count->setText(count == 1 ? tr("1 finding") : tr("%1 findings").arg(count));
    if (!m_job.isBusy())
        m_what->setText(tr("in %1, by time explained").arg(durationText(m_window.duration())));
    for (std::size_t i = 0; i < m_findings->all.size(); ++i) {
        auto* const card = new FindingCard(m_findings->all[i], int(i) + 1, m_window, m_of->range);
        connect(card, &FindingCard::selected, this, [this, i] { select(i); });
        connect(card, &FindingCard::showRequested, this, [this, i] { goTo(i, false); });
        connect(card, &FindingCard::explainRequested, this, [this, i] { goTo(i, true); });
        connect(card, &FindingCard::stepRequested, this, [this, i](int change) { step(i, change); });
        list.addWidget(card);
        m_cards.push_back(card);
    }
    if (count == 0) {
        m_count->setText(tr("Nothing stands out"));
        list.addSpacing(12);
        list.addWidget(wrappingLine(tr("%1 looked at %2. The thresholds are 0.5 % of the range and 1 ms.")
                                        .arg(text(helio::countText(m_findings->finders, "finder")), durationText(m_window.duration())),
                                    12, 400, "text.secondary"));
    }
    addQuality();
    list.addStretch(1);
    m_finders->setText(tr("%1, %2 without a finding").arg(text(helio::countText(m_findings->finders, "finder"))).arg(m_findings->without));
}

void FindingsView::addQuality()
{
    QVBoxLayout& list = *m_page->content();
    list.addSpacing(12);
    list.addWidget(wrappingLine(tr("Recording quality"), 12, 600, "text.primary"));
    list.addSpacing(4);
    for (const QualityNote& note : m_findings->quality) {
        list.addWidget(wrappingLine(text(note.text), 11.5, 400, note.isProblem ? "mark.lost" : "text.secondary"));
        if (!note.command.empty())
            list.addWidget(wrappingLine(text(note.command), 11, 400, "text.secondary"));
        list.addSpacing(4);
    }
    if (!m_findings->unable.empty()) {
        QStringList titles;
        for (const std::string& title : m_findings->unable)
            titles << text(title).toLower();
        list.addWidget(wrappingLine(tr("Needs events that were not recorded: %1.").arg(titles.join(QStringLiteral(", "))), 11.5, 400,
                                    "text.secondary"));
    }
}

void FindingsView::select(std::size_t index)
{
    for (std::size_t i = 0; i < m_cards.size(); ++i)
        m_cards[i]->setSelected(i == index);
    auto moments = std::make_shared<std::vector<Timestamp>>();
    for (const Evidence& it : m_findings->all[index].evidence)
        moments->push_back(it.range.begin);
    m_context.setMoments(std::move(moments));
}

void FindingsView::follow(std::size_t index) { goTo(index, false); }

/// Goes to the current occurrence of a finding, with the time around it. `explains`: true to explain the wait there, too.
void FindingsView::goTo(std::size_t index, bool explains)
{
    select(index);
    const Finding& finding = m_findings->all[index];
    const Evidence* const place = finding.evidence.empty() ? nullptr : &finding.evidence[m_cards[index]->step()];
    const TimeRange range = place ? place->range : finding.range;
    const Duration around = std::max(range.duration(), Duration(1'000));
    TimeWindow::Target target;
    target.cursor = range.begin + range.duration() / 2;
    if (!isOfSelection()) // Selecting another range would replace the findings.
        target.selection = range;
    target.visible = TimeRange{range.begin - around, range.end + around};
    if (place && place->row.isValid())
        target.row = place->row;
    m_context.time().jump(target);
    if (explains)
        m_context.explainWait();
}

void FindingsView::step(std::size_t index, int change)
{
    FindingCard& card = *m_cards[index];
    const auto next = static_cast<std::ptrdiff_t>(card.step()) + change;
    if (next < 0 || next >= static_cast<std::ptrdiff_t>(card.finding().evidence.size()))
        return;
    card.setStep(std::size_t(next));
    goTo(index, false);
}

QString FindingsView::plainText() const
{
    QStringList lines;
    for (std::size_t i = 0; i < m_cards.size(); ++i)
        lines << tr("%1. %2").arg(i + 1).arg(m_cards[i]->plainText());
    if (m_findings)
        for (const QualityNote& note : m_findings->quality)
            lines << text(note.text);
    return lines.join(u'\n') + u'\n';
}

ShownCommand FindingsView::shownCommand() const
{
    QStringList command{"findings"};
    return {command + (isOfSelection() ? rangeOptions(m_context.time(), m_context.time().selection()) : QStringList()), {}, {}};
}

} // namespace helio
