#include "widgets/compare/changes/changes_view.h"

#include "core/findings/occurrences.h"
#include "widgets/time/qt_text.h"
#include "widgets/workspace/make_finding_marks.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

/// Returns the findings of a side in its compared range.
WindowFindings findingsOf(const FindingRequest& request) { return {collectFindings(request), FindingScope(request).window()}; }

/// Returns the occurrence to show: the longest one; nullptr if the finding has no evidence.
const Evidence* longestOf(const Finding& finding)
{
    const auto it = std::ranges::max_element(finding.evidence, {}, [](const Evidence& one) { return one.range.duration(); });
    return it == finding.evidence.end() ? nullptr : &*it;
}

QLabel* wrappingLabel(const QString& text, qreal size, int weight, const char* role)
{
    QLabel* const label = makeLabel(text, size, weight, role);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QSizePolicy policy = label->sizePolicy(); // Keeps the height-for-width flag.
    policy.setHorizontalPolicy(QSizePolicy::Ignored);
    label->setSizePolicy(policy);
    return label;
}

} // namespace

ChangesView::ChangesView(CompareContext& context, QWidget* parent)
    : PanelGround(parent)
    , m_context(context)
    , m_head(makeLabel({}, 13, 600, "text.primary"))
    , m_page(new ScrollPage)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_head->setContentsMargins(14, 10, 14, 8);
    layout->addWidget(m_head);
    m_page->setAccessibleName(tr("Changes from A to B"));
    m_page->content()->setContentsMargins(14, 0, 14, 10);
    m_page->content()->setSpacing(10);
    layout->addWidget(m_page, 1);
    setFocusProxy(m_page);
    connect(&context, &CompareContext::questionChanged, this, &ChangesView::fetch);
    connect(&context, &CompareContext::timelineChanged, this, &ChangesView::fetch);
    fill();
}

void ChangesView::showEvent(QShowEvent* event)
{
    PanelGround::showEvent(event);
    fetch();
}

void ChangesView::fetch()
{
    if (!isVisible()) // showEvent() fetches when the view becomes visible.
        return;
    const auto a = m_context.a().timeline(), b = m_context.b().timeline();
    m_changes = nullptr;
    if (!a || !b || !m_context.isSettled()) {
        m_job.cancel();
        return fill();
    }
    const TimeRange ofA = m_context.comparedRange(Side::A), ofB = m_context.comparedRange(Side::B);
    m_job.post([this, a, b, ofA, ofB, program = m_context.program().toStdString()](std::stop_token stop) -> LatestTask::Delivery {
        const FindingRequest before{a, ofA, {}, stop}, after{b, ofB, {}, stop};
        const WindowFindings foundBefore = findingsOf(before);
        WindowFindings foundAfter = findingsOf(after);
        if (auto slower = findSlowerProgram(FindingScope(before), FindingScope(after), program))
            foundAfter.findings.all.push_back(std::move(*slower));
        if (stop.stop_requested())
            return {};
        return [this, changes = std::make_shared<const std::vector<FindingChange>>(compareFindings(foundBefore, foundAfter))] {
            m_changes = changes;
            fill();
        };
    });
    fill();
}

void ChangesView::fill()
{
    QVBoxLayout& list = *m_page->content();
    while (QLayoutItem* const item = list.takeAt(0)) {
        if (QWidget* const widget = item->widget()) {
            widget->hide();
            widget->deleteLater(); // Its link may have emitted the signal that is being handled.
        }
        delete item;
    }
    const auto count = m_changes ? qint64(m_changes->size()) : 0;
    if (!m_changes)
        m_head->setText(m_context.isSettled() ? tr("Looking for changes\u2026") : tr("The recordings are being read."));
    else if (count == 0)
        m_head->setText(tr("Nothing else stands out in B than in A."));
    else
        m_head->setText(count == 1 ? tr("1 change from A to B") : tr("%1 changes from A to B").arg(count));
    for (std::size_t i = 0; m_changes && i < m_changes->size(); ++i)
        list.addWidget(makeLine((*m_changes)[i], i));
    list.addStretch(1);
}

QWidget* ChangesView::makeLine(const FindingChange& change, std::size_t index)
{
    auto* line = new QWidget;
    auto* grid = new QGridLayout(line);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    const QString word = !change.before ? tr("new in B")
        : !change.after                 ? tr("gone in B")
        : change.difference() > 0       ? tr("more")
                                        : tr("less");
    QLabel* const what = makeLabel(word, 11.5, 600, change.difference() > 0 ? "severity.warning" : "severity.good");
    what->setMinimumWidth(64);
    grid->addWidget(what, 0, 0, Qt::AlignTop);
    grid->addWidget(wrappingLabel(text(change.shown().text), 12.5, 600, "text.primary"), 0, 1);
    const QString shares = tr("%1 of range, in A %2").arg(text(shareText(change.shareAfter)), text(shareText(change.shareBefore)));
    grid->addWidget(wrappingLabel(text(change.shown().detail), 11.5, 400, "text.secondary"), 1, 1);
    grid->addWidget(makeLabel(shares, 11.5, 400, "text.secondary"), 2, 1);
    auto* show = new LinkLabel;
    styleLabel(show, 11.5, 500, "text.link");
    setTextWithLinks(*show, linkText("show", change.after ? tr("Show in B") : tr("Show in A")));
    connect(show, &QLabel::linkActivated, this, [this, index] { showChange(index); });
    grid->addWidget(show, 2, 2, Qt::AlignRight);
    return line;
}

void ChangesView::showChange(std::size_t index)
{
    const FindingChange& change = (*m_changes)[index];
    ViewContext& side = change.after ? m_context.b() : m_context.a();
    ViewContext& other = change.after ? m_context.a() : m_context.b();
    const Finding& finding = change.shown();
    other.setFindingMarks(nullptr);
    side.setFindingMarks(makeFindingMarks(finding, int(index) + 1));
    const Evidence* const place = longestOf(finding);
    const TimeRange range = place ? place->range : finding.range;
    const Duration around = std::max(range.duration(), Duration(1'000));
    TimeWindow::Target target;
    target.cursor = range.begin + range.duration() / 2;
    target.visible = TimeRange{range.begin - around, range.end + around};
    if (place && place->row.isValid())
        target.row = place->row;
    side.time().jump(target); // The selection stays, because other selections change what is compared.
}

} // namespace helio
