#include "widgets/fleet/finding_line.h"

#include "widgets/controls/field_grid.h"
#include "widgets/fleet/finding_color.h"
#include "widgets/fleet/fleet_model.h"
#include "widgets/paint/marks.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <QGridLayout>
#include <QPainter>

#include <algorithm>

namespace helio {

namespace {

constexpr int DiscSize = 17;
constexpr int ShareHeight = 5;

/// Disc with the rank of a finding.
class RankMark : public QWidget {
public:
    RankMark(int rank, const std::string& color)
        : m_rank(rank)
        , m_color(color)
    {
        setFixedSize(DiscSize, DiscSize);
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setFont(fonts().at(10.5, 600));
        paintRankDisc(painter, rect(), m_rank, findingColor(m_color), theme().textColorFor(findingColor(m_color)));
    }

    const int m_rank;
    const std::string m_color;
};

/// Bar whose full width is the length of the trace.
class ExplainedShare : public QWidget {
public:
    ExplainedShare(double share, const std::string& color)
        : m_share(share)
        , m_color(color)
    {
        setFixedHeight(ShareHeight);
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), theme().color("line.faint"));
        painter.fillRect(0, 0, std::max(2, int(m_share * width() + 0.5)), height(), findingColor(m_color));
    }

    const double m_share;
    const std::string m_color;
};

} // namespace

FindingLine::FindingLine(const fleet::DetailedFinding& finding, int rank, bool hasLosses, QWidget* parent)
    : QWidget(parent)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(9);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    auto* sentence = makeLabel(text(finding.text), 11.5, 500, "text.primary");
    sentence->setTextFormat(Qt::PlainText);
    sentence->setWordWrap(true);
    sentence->setMinimumWidth(1); // A long word does not make the page wider.
    sentence->setToolTip(text(finding.detail).toHtmlEscaped());
    sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QSizePolicy policy = sentence->sizePolicy(); // Keeps the height-for-width flag.
    policy.setHorizontalPolicy(QSizePolicy::Ignored);
    sentence->setSizePolicy(policy);
    const QString time = shortText(finding.explained, hasLosses);
    grid->addWidget(new RankMark(rank, finding.color), 0, 0, Qt::AlignTop);
    grid->addWidget(sentence, 0, 1);
    grid->addWidget(makeLabel(time, 11.5, 600, "text.primary"), 0, 2, Qt::AlignRight | Qt::AlignTop);
    grid->addWidget(new ExplainedShare(finding.share, finding.color), 1, 1, 1, 2);
    setAccessibleName(tr("%1. %2, %3").arg(rank).arg(text(finding.text), time));
}

} // namespace helio
