#include "widgets/views/legend/legend_view.h"

#include "core/query/statistics.h"
#include "widgets/shell/swatch.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {

namespace {

constexpr int FetchDelay = 200; ///< ms. Numbers beside a legend need not run along.

QString text(std::string_view s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }

QString shareText(double share)
{
    if (share > 0 && share < 0.0005)
        return QStringLiteral("<0.1 %");
    return QStringLiteral("%1 %").arg(100 * share, 0, 'f', 1);
}

QString titleOf(const QString& set)
{
    if (set == "thread")
        return LegendView::tr("Threads");
    if (set == "cpu")
        return LegendView::tr("CPUs");
    if (set == "irq")
        return LegendView::tr("Interrupts");
    if (set == "softirq")
        return LegendView::tr("Soft interrupts");
    return set;
}

} // namespace

LegendView::LegendView(ViewContext& context, QWidget* parent)
    : ScrollPage(parent)
    , m_context(context)
{
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &LegendView::fetch);
    const auto soon = [this] { m_soon.start(FetchDelay); };
    connect(&context, &ViewContext::timelineChanged, this, soon);
    connect(&context.time(), &TimeWindow::visibleChanged, this, soon);
    connect(&Themes::instance(), &Themes::changed, this, &LegendView::rebuild);
    rebuild();
}

void LegendView::showEvent(QShowEvent* event)
{
    ScrollPage::showEvent(event);
    m_soon.start(0);
}

void LegendView::fetch()
{
    const auto timeline = m_context.timeline();
    const TimeRange range = m_context.time().visible();
    if (!isVisible())
        return;
    if (!timeline) {
        m_job.cancel();
        m_sums.clear();
        return rebuild();
    }
    m_job.post([this, timeline, range](std::stop_token stop) -> LatestJob::Delivery {
        Sums sums;
        for (const char* view : {"control-flow", "resources"})
            for (const Row& row : rows(*timeline, view)) {
                const StateSet& set = statesOf(*timeline, row.ref);
                if (stop.stop_requested() || !row.ref.isValid() || row.valueKind == ValueKind::Number)
                    continue;
                auto& states = sums[text(set.id)];
                for (const std::string& state : set.states)
                    states.try_emplace(text(state));
                for (const StateTotal& total : totals(*timeline, row.ref, range)) {
                    Sum& sum = states[text(stateName(*timeline, row.ref, total.state))];
                    sum.count += total.count;
                    sum.total += total.total;
                }
            }
        return [this, sums = std::move(sums)] {
            const auto isSame = [](const auto& a, const auto& b) { return a.first == b.first && a.second.size() == b.second.size(); };
            const bool isKnown = std::ranges::equal(m_sums, sums, isSame);
            m_sums = sums;
            isKnown ? refill() : rebuild();
        };
    });
}

void LegendView::rebuild()
{
    m_lines.clear();
    while (QLayoutItem* item = content()->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (m_sums.empty())
        content()->addWidget(makeLabel(tr("No trace open."), 12, 400, "text.secondary"), 0, Qt::AlignHCenter);
    for (const QString& set : {QStringLiteral("thread"), QStringLiteral("cpu"), QStringLiteral("irq"), QStringLiteral("softirq")}) {
        const auto states = m_sums.find(set);
        if (states == m_sums.end())
            continue;
        std::vector<std::pair<StateLook, QString>> looks;
        for (const auto& [state, sum] : states->second)
            looks.emplace_back(theme().lookOf(set.toStdString(), state.toStdString()), state);
        std::ranges::stable_sort(looks, {}, [](const auto& it) { return it.first.order; });
        content()->addWidget(makeLabel(titleOf(set), 12, 600, "text.primary"));
        auto* box = new QWidget;
        auto* grid = new QGridLayout(box);
        grid->setContentsMargins(0, 0, 0, 14);
        grid->setVerticalSpacing(4);
        grid->setHorizontalSpacing(10);
        grid->setColumnStretch(1, 1);
        for (const auto& [look, state] : looks)
            addRow(grid, set + '/' + state, look);
        content()->addWidget(box);
    }
    content()->addStretch(1);
    refill();
}

void LegendView::addRow(QGridLayout* grid, const QString& key, const StateLook& look)
{
    const int row = int(m_lines.size());
    auto* swatch = new QLabel;
    swatch->setPixmap(swatchPixmap(look, 11, devicePixelRatioF()));
    const Line line{makeLabel(look.words, 11.5, 400, "text.primary"), makeLabel({}, 11, 400, "text.secondary"),
                    makeLabel({}, 11, 500, "text.primary")};
    grid->addWidget(swatch, row, 0);
    grid->addWidget(line.words, row, 1);
    grid->addWidget(line.count, row, 2, Qt::AlignRight);
    grid->addWidget(line.share, row, 3, Qt::AlignRight);
    m_lines.insert(key, line);
}

void LegendView::refill()
{
    for (const auto& [set, states] : m_sums) {
        Duration whole{};
        for (const auto& [state, sum] : states)
            whole += sum.total;
        for (const auto& [state, sum] : states) {
            const auto line = m_lines.constFind(set + '/' + state);
            if (line == m_lines.constEnd())
                continue;
            const bool isThere = sum.count > 0 && whole.count() > 0;
            line->words->setEnabled(isThere);
            line->count->setText(isThere ? countText(qint64(sum.count)) : QString());
            line->share->setText(isThere ? shareText(double(sum.total.count()) / double(whole.count())) : QStringLiteral("\u2013"));
        }
    }
}

} // namespace helio
