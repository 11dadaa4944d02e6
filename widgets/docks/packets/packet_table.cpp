#include "widgets/docks/packets/packet_table.h"

#include "widgets/controls/line_delegate.h"
#include "widgets/controls/table_style.h"
#include "widgets/paint/text.h"

#include <QHeaderView>
#include <QKeyEvent>

namespace helio {

PacketTable::PacketTable(QWidget* parent)
    : QTreeView(parent)
{
    showModel(*this, m_model, tr("Packets of the connection"), new LineDelegate(this, DockLines));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    header()->setMinimumSectionSize(30);
    setColumnWidths(*this, {152, 92, 138, 132, 58, 80, 90, 152});
    header()->setStretchLastSection(true);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (!now.isValid() || m_isChoosing)
            return;
        m_hasEmittedChosen = true;
        emit chosen(std::size_t(now.row()));
    });
    connect(this, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (!m_hasEmittedChosen) // A click on the packet that was already selected also means that the user wants to go to it.
            emit chosen(std::size_t(index.row()));
    });
}

void PacketTable::setPackets(std::vector<ConnectionPacket> packets, const QString& forwardName, const QString& reverseName)
{
    m_isChoosing = true;
    m_model.setDirectionNames(forwardName, reverseName);
    m_model.setPackets(std::move(packets));
    m_isChoosing = false;
}

void PacketTable::choose(std::size_t place)
{
    m_isChoosing = true;
    setCurrentIndex(place < all().size() ? m_model.index(int(place), 0) : QModelIndex());
    if (place >= all().size())
        clearSelection();
    m_isChoosing = false;
}

void PacketTable::mousePressEvent(QMouseEvent* event)
{
    m_hasEmittedChosen = false;
    QTreeView::mousePressEvent(event);
}

/// Ignores letters, so that they reach the shortcuts of window and dock instead of QTreeView's keyboard search.
void PacketTable::keyPressEvent(QKeyEvent* event)
{
    if (event->text().isEmpty() || event->text().front() < ' ' || event->modifiers() != Qt::NoModifier)
        return QTreeView::keyPressEvent(event);
    event->ignore();
}

} // namespace helio
