#include "widgets/flame/frame/flame_trail.h"

#include "widgets/controls/field_grid.h"
#include "widgets/controls/pill.h"
#include "widgets/controls/value_label.h"
#include "widgets/flame/view/frame_text.h"
#include "widgets/paint/frame_name.h"
#include "widgets/theme/themes.h"

#include <QHBoxLayout>

namespace helio {

namespace {

constexpr auto Separator = u"  \u203a  ";
constexpr int NameWidth = 160;

} // namespace

CrumbTrail::CrumbTrail(FlameView& graph, QWidget* parent)
    : LinkLabel(parent)
    , m_graph(graph)
    , m_rootName(tr("all"))
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(this, &QLabel::linkActivated, this, [this](const QString& link) {
        if (!m_graph.parts().empty())
            m_graph.zoomTo(m_graph.parts().size() - 1, link.toUInt());
    });
}

void CrumbTrail::refresh()
{
    setFont(fonts().detail());
    QPalette look = palette();
    look.setColor(QPalette::WindowText, theme().color("text.secondary"));
    look.setColor(QPalette::Text, theme().color("text.secondary"));
    setPalette(look);
    if (m_graph.parts().empty() || m_graph.zoom() == 0)
        return showHint({});
    const CallTree& tree = *m_graph.parts().back().tree;
    QStringList links;
    for (std::uint32_t node = m_graph.zoom();; node = tree.nodes[node].parent) {
        const QString name = node == 0 ? m_rootName : elidedFrame(fonts().detail(), frameLabel(tree.functionOf(node)), NameWidth);
        links.prepend(node == m_graph.zoom() ? name.toHtmlEscaped() : linkText(QString::number(node), name));
        if (node == 0)
            break;
    }
    if (links.size() > 6) // Long paths only show their first two and last three frames.
        links = links.mid(0, 2) + QStringList{QStringLiteral("\u2026")} + links.mid(links.size() - 3);
    setValueName(*this, tr("Zoom path"));
    setTextWithLinks(*this, links.join(Separator));
}

void CrumbTrail::showHint(const QString& hint)
{
    setValueName(*this, {});
    setTextWithLinks(*this, hint);
}

FlameTrail::FlameTrail(FlameView& graph, QWidget* parent)
    : QWidget(parent)
    , m_crumbs(new CrumbTrail(graph))
    , m_line(new QHBoxLayout(this))
    , m_chips(new QHBoxLayout)
{
    m_line->setContentsMargins(0, 0, 0, 0);
    m_line->setSpacing(6);
    m_chips->setSpacing(6);
    m_line->addWidget(m_crumbs, 1);
    m_line->addLayout(m_chips);
}

void FlameTrail::setChips(std::vector<Chip> chips)
{
    while (QLayoutItem* item = m_chips->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (Chip& it : chips) {
        auto* chip = new Pill(it.text);
        chip->setRemovable(true);
        chip->setShrinking();
        chip->setToolTip(tr("Remove: %1").arg(it.text));
        connect(chip, &QAbstractButton::clicked, this, std::move(it.remove), Qt::QueuedConnection);
        m_chips->addWidget(chip);
    }
}

bool FlameTrail::hasChips() const { return m_chips->count() > 0; }

void FlameTrail::add(QWidget* part) { m_line->addWidget(part); }

bool FlameTrail::has(const QWidget* part) const { return m_line->indexOf(part) >= 0; }

void FlameTrail::refresh()
{
    m_crumbs->refresh();
    if (m_crumbs->isEmpty())
        m_crumbs->showHint(m_hint);
    bool isThere = !m_crumbs->isEmpty() || hasChips();
    for (int i = 0; i < m_line->count(); ++i)
        if (const QWidget* part = m_line->itemAt(i)->widget(); part && part != m_crumbs)
            isThere |= !part->isHidden();
    setVisible(isThere);
}

} // namespace helio
