#include "widgets/compare/why/state_shares.h"

#include "widgets/compare/side_style.h"
#include "widgets/paint/state_bar.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"

#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr int ThreadHeight = 36;
constexpr int NameWidth = 130;
constexpr int NumberWidth = 58;
constexpr int PointsWidth = 76;

QString pointsText(double points)
{
    const QString sign = std::abs(points) < 0.05 ? QString() : points < 0 ? QStringLiteral("\u2212") : QStringLiteral("+");
    return sign + QString::number(std::abs(points), 'f', 1);
}

} // namespace

class StateShares::Bars : public QWidget {
public:
    Bars() { connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update)); }

    void setShares(std::vector<Share> shares)
    {
        m_shares = std::move(shares);
        setFixedHeight(int(m_shares.size()) * ThreadHeight);
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        for (std::size_t i = 0; i < m_shares.size(); ++i)
            paintRow(painter, m_shares[i], QRect(0, int(i) * ThreadHeight, width(), ThreadHeight));
    }

private:
    void paintRow(QPainter& painter, const Share& share, const QRect& row) const
    {
        const StateAppearance look = theme().lookOf(share.state);
        paintSwatch(painter, QRectF(row.left(), row.top() + 4, 10, 10), look);
        painter.setFont(fonts().at(11.5));
        painter.setPen(theme().color("text.primary"));
        const QString& name = look.legend;
        painter.drawText(QRect(row.left() + 18, row.top(), NameWidth - 22, 18), Qt::AlignVCenter,
                         elidedLabel(painter.font(), name, NameWidth - 22));
        paintSide(painter, Side::A, share.a, row.top() + 3);
        paintSide(painter, Side::B, share.b, row.top() + 18);
        const double points = (share.b - share.a) * 100;
        painter.setFont(fonts().at(11.5, 600));
        painter.setPen(theme().color(std::abs(points) < 0.05 ? "text.hint" : points > 0 ? "compare.b.text" : "compare.a.text"));
        drawTabular(painter, QRectF(width() - PointsWidth, row.top(), PointsWidth, 30), Qt::AlignRight, pointsText(points));
    }

    void paintSide(QPainter& painter, Side side, double share, int top) const
    {
        const int left = NameWidth;
        const double room = std::max(20, width() - left - NumberWidth - PointsWidth);
        painter.fillRect(QRectF(left, top, room, 11), theme().color("surface.header"));
        painter.fillRect(QRectF(left, top, room * share, 11), theme().color(sideRole(side)));
        painter.setFont(fonts().small());
        painter.setPen(theme().color(sideRole(side, ".text")));
        drawTabular(painter, QRectF(left + room, top - 2, NumberWidth, 15), Qt::AlignRight,
                    QStringLiteral("%1 %").arg(share * 100, 0, 'f', 1));
    }

    std::vector<Share> m_shares;
};

StateShares::StateShares(QWidget* parent)
    : ScrollPage(parent)
    , m_title(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_bars(new Bars)
{
    m_title->setWordWrap(true);
    content()->addWidget(m_title);
    content()->addWidget(m_bars);
    content()->addStretch(1);
    setBreakdown({});
}

StateShares::~StateShares() = default;

void StateShares::setBreakdown(const Breakdown& breakdown)
{
    std::vector<Share> shares = sharesOf(breakdown);
    m_title->setText(shares.empty()                   ? tr("Nothing that ran on both sides is compared in this range.")
                         : isCpuTime(breakdown.basis) ? tr("Shares of one run's CPU time, and their difference in percentage points.")
                                                      : tr("Shares of one run's wall time, and their difference in percentage points."));
    m_bars->setAccessibleName(shares.size() == 1 ? tr("1 state") : tr("%1 states").arg(shares.size()));
    m_bars->setShares(std::move(shares));
}

std::vector<StateShares::Share> StateShares::sharesOf(const Breakdown& breakdown)
{
    std::vector<Share> shares;
    if (breakdown.a <= Duration::zero() || breakdown.b <= Duration::zero())
        return shares;
    for (const BreakdownLine& line : breakdown.lines) {
        auto found = std::ranges::find(shares, line.state.name, [](const Share& share) -> const std::string& { return share.state.name; });
        if (found == shares.end())
            found = shares.insert(shares.end(), {line.state, 0, 0});
        found->a += double(line.a.count()) / double(breakdown.a.count());
        found->b += double(line.b.count()) / double(breakdown.b.count());
    }
    std::ranges::stable_sort(shares, std::greater(), [](const Share& share) { return std::max(share.a, share.b); });
    return shares;
}

} // namespace helio
