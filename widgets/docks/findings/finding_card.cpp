#include "widgets/docks/findings/finding_card.h"

#include "core/findings/findings.h"
#include "core/findings/occurrences.h"
#include "widgets/controls/command_field.h"
#include "widgets/controls/field_grid.h"
#include "widgets/paint/focus_ring.h"
#include "widgets/paint/marks.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {

namespace {

constexpr int DiscSize = 19;
constexpr int CardEdge = 3; ///< Width in pixels of the edge that marks the selected card.

QColor colorOf(const Finding& finding)
{
    return theme().colorOf(QString::fromStdString(finding.color.empty() ? std::string("text.secondary") : finding.color));
}

/// Disc with the rank of a finding, in its colour.
class RankDisc : public QWidget {
public:
    RankDisc(const Finding& finding, int rank)
        : m_finding(finding)
        , m_rank(rank)
    {
        setFixedSize(DiscSize, DiscSize);
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setFont(fonts().at(11, 600));
        paintRankDisc(painter, rect(), m_rank, colorOf(m_finding), theme().textColorFor(colorOf(m_finding)));
    }

    const Finding& m_finding;
    const int m_rank;
};

/// Bar whose full width is the range in which was looked, filled by the time that a finding explains.
class ShareBar : public QWidget {
public:
    ShareBar(const Finding& finding, double share)
        : m_finding(finding)
        , m_share(std::clamp(share, 0.0, 1.0))
    {
        setFixedHeight(6);
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), theme().color("line.faint"));
        painter.fillRect(0, 0, std::max(2, int(m_share * width() + 0.5)), height(), colorOf(m_finding));
    }

    const Finding& m_finding;
    const double m_share;
};

/// Strip over the whole recording with a mark at each occurrence of a finding.
class WhenStrip : public QWidget {
public:
    WhenStrip(const Finding& finding, TimeRange whole)
        : m_finding(finding)
        , m_whole(whole)
    {
        setFixedHeight(11);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(0, height() / 2, width(), 1, theme().color("line.strong"));
        const auto xOf = [&](Timestamp at) {
            return double((at - m_whole.begin).count()) / double(std::max<std::int64_t>(1, m_whole.duration().count())) * width();
        };
        for (const Evidence& it : m_finding.evidence) {
            const double from = xOf(it.range.begin), to = xOf(it.range.end);
            painter.fillRect(QRectF(from, 2, std::max(2.0, to - from), 7), colorOf(m_finding));
        }
    }

    const Finding& m_finding;
    const TimeRange m_whole;
};

QLabel* wrappingLabel(const QString& text, qreal size, int weight, const char* role)
{
    QLabel* const label = makeLabel(text, size, weight, role);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    QSizePolicy policy = label->sizePolicy(); // Keeps the height-for-width flag.
    policy.setHorizontalPolicy(QSizePolicy::Ignored);
    label->setSizePolicy(policy);
    label->setAttribute(Qt::WA_TransparentForMouseEvents);
    return label;
}

} // namespace

FindingCard::FindingCard(const Finding& finding, int rank, TimeRange window, TimeRange whole, QWidget* parent)
    : QWidget(parent)
    , m_finding(finding)
    , m_links(new LinkLabel)
    , m_more(new QWidget)
{
    const double share = shareOf(m_finding, window);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("%1. %2, %3").arg(rank).arg(text(m_finding.text), text(shortDuration(m_finding.explained))));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(CardEdge + 11, 10, 14, 10);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    grid->addWidget(new RankDisc(m_finding, rank), 0, 0, 2, 1, Qt::AlignTop);
    grid->addWidget(wrappingLabel(text(m_finding.text), 13, 600, "text.primary"), 0, 1);
    grid->addWidget(makeLabel(text(shortDuration(m_finding.explained)), 14, 600, "text.primary"), 0, 2, Qt::AlignRight | Qt::AlignTop);
    grid->addWidget(wrappingLabel(text(m_finding.detail), 11.5, 400, "text.secondary"), 1, 1);
    grid->addWidget(makeLabel(tr("%1 of range").arg(text(shareText(share))), 10.5, 400, "text.secondary"), 1, 2,
                    Qt::AlignRight | Qt::AlignTop);
    auto* bar = new QVBoxLayout;
    bar->setContentsMargins(0, 5, 0, 0);
    bar->addWidget(new ShareBar(m_finding, share));
    grid->addLayout(bar, 2, 1, 1, 2);
    styleLabel(m_links, 11.5, 500, "text.link");
    QStringList links{linkText("show", tr("Show"))};
    if (m_finding.isWait)
        links << linkText("explain", tr("Explain"));
    setTextWithLinks(*m_links, links.join(QStringLiteral("&nbsp;&nbsp;&nbsp;")));
    m_links->setAlignment(Qt::AlignRight);
    connect(m_links, &QLabel::linkActivated, this,
            [this](const QString& link) { link == "show" ? emit showRequested() : emit explainRequested(); });
    grid->addWidget(m_links, 3, 1, 1, 2);
    makeMore(whole);
    grid->addWidget(m_more, 4, 1, 1, 2);
    m_more->hide();
    connect(&Themes::instance(), &Themes::changed, this, qOverload<>(&QWidget::update));
}

void FindingCard::makeMore(TimeRange whole)
{
    auto* lines = new QGridLayout(m_more);
    lines->setContentsMargins(0, 6, 0, 0);
    lines->setVerticalSpacing(8);
    lines->setColumnStretch(1, 1);
    if (!m_finding.evidence.empty()) {
        lines->addWidget(makeLabel(tr("When"), 11.5, 400, "text.secondary"), 0, 0);
        lines->addWidget(new WhenStrip(m_finding, whole), 0, 1);
    }
    if (!m_finding.check.empty()) {
        lines->addWidget(makeLabel(tr("Check"), 11.5, 400, "text.secondary"), 1, 0);
        lines->addWidget(new CommandField(text(m_finding.check), tr("Command with which to check further")), 1, 1);
    }
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    auto* show = new QPushButton(tr("Show"));
    show->setDefault(true); // The style draws the default button as the primary button.
    connect(show, &QPushButton::clicked, this, &FindingCard::showRequested);
    buttons->addWidget(show);
    if (m_finding.isWait) {
        auto* explain = new QPushButton(tr("Explain"));
        connect(explain, &QPushButton::clicked, this, &FindingCard::explainRequested);
        buttons->addWidget(explain);
    }
    buttons->addStretch(1);
    if (m_finding.evidence.size() > 1) {
        m_position = makeLabel({}, 11.5, 400, "text.secondary");
        m_earlier = new QPushButton(QStringLiteral("\u2039"));
        m_earlier->setAccessibleName(tr("Earlier occurrence"));
        m_later = new QPushButton(QStringLiteral("\u203a"));
        m_later->setAccessibleName(tr("Later occurrence"));
        for (QPushButton* const button : {m_earlier, m_later}) {
            button->setToolTip(button->accessibleName());
            button->setFixedWidth(24);
            connect(button, &QPushButton::clicked, this, [this, button] { emit stepRequested(button == m_earlier ? -1 : 1); });
        }
        buttons->addWidget(m_earlier);
        buttons->addWidget(m_position);
        buttons->addWidget(m_later);
    }
    lines->addLayout(buttons, 2, 0, 1, 2);
    updateStep();
}

void FindingCard::setSelected(bool isSelected)
{
    if (m_isSelected == isSelected)
        return;
    m_isSelected = isSelected;
    m_more->setVisible(isSelected);
    m_links->setVisible(!isSelected);
    updateGeometry();
    update();
}

void FindingCard::setStep(std::size_t step)
{
    m_step = std::min(step, m_finding.evidence.size() - 1);
    updateStep();
}

void FindingCard::updateStep()
{
    if (!m_position)
        return;
    const std::size_t shown = m_finding.evidence.size();
    m_position->setText(shown == m_finding.occurrences
                            ? tr("%1 of %2").arg(m_step + 1).arg(shown)
                            : tr("%1 of the %2 longest of %3").arg(m_step + 1).arg(shown).arg(countText(qint64(m_finding.occurrences))));
    m_earlier->setEnabled(m_step > 0);
    m_later->setEnabled(m_step + 1 < shown);
}

QString FindingCard::plainText() const
{
    QString lines = text(m_finding.text) + QStringLiteral(": ") + text(shortDuration(m_finding.explained));
    if (!m_finding.detail.empty())
        lines += QStringLiteral("\n  ") + text(m_finding.detail);
    if (!m_finding.check.empty())
        lines += QStringLiteral("\n  ") + text(m_finding.check);
    return lines;
}

void FindingCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color(m_isSelected ? "surface.selected" : "surface.panel"));
    if (m_isSelected)
        painter.fillRect(0, 0, CardEdge, height(), theme().color("accent.fill"));
    painter.fillRect(14, height() - 1, width() - 28, 1, theme().color("line.faint"));
    if (hasFocus())
        paintFocusRing(painter, rect(), 0);
}

void FindingCard::mousePressEvent(QMouseEvent*) { emit selected(); }

void FindingCard::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: emit showRequested(); break;
    case Qt::Key_Space: emit selected(); break;
    case Qt::Key_Left: emit stepRequested(-1); break;
    case Qt::Key_Right: emit stepRequested(1); break;
    default: QWidget::keyPressEvent(event);
    }
}

void FindingCard::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void FindingCard::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

} // namespace helio
