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
    connect(&Themes::instance(), &Themes::changed, this, &LegendView::refill);
    refill();
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
        return refill();
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
            m_sums = sums;
            refill();
        };
    });
}

void LegendView::refill()
{
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
        Duration whole{};
        std::vector<std::pair<StateLook, Sum>> lines;
        for (const auto& [state, sum] : states->second) {
            whole += sum.total;
            lines.emplace_back(theme().lookOf(set.toStdString(), state.toStdString()), sum);
        }
        std::ranges::stable_sort(lines, {}, [](const auto& line) { return line.first.order; });
        content()->addWidget(makeLabel(titleOf(set), 12, 600, "text.primary"));
        auto* box = new QWidget;
        auto* grid = new QGridLayout(box);
        grid->setContentsMargins(0, 0, 0, 14);
        grid->setVerticalSpacing(4);
        grid->setHorizontalSpacing(10);
        grid->setColumnStretch(1, 1);
        int row = 0;
        for (const auto& [look, sum] : lines) {
            auto* swatch = new QLabel;
            swatch->setPixmap(swatchPixmap(look, 11, devicePixelRatioF()));
            grid->addWidget(swatch, row, 0);
            grid->addWidget(makeLabel(look.words, 11.5, 400, sum.count ? "text.primary" : "text.hint"), row, 1);
            grid->addWidget(makeLabel(sum.count ? countText(qint64(sum.count)) : QString(), 11, 400, "text.secondary"), row, 2,
                            Qt::AlignRight);
            const QString share = sum.count && whole.count() > 0
                ? tr("%1 %").arg(100.0 * double(sum.total.count()) / double(whole.count()), 0, 'f', 1)
                : QStringLiteral("\u2013");
            grid->addWidget(makeLabel(share, 11, 500, "text.primary"), row++, 3, Qt::AlignRight);
        }
        content()->addWidget(box);
    }
    content()->addStretch(1);
}

} // namespace helio
