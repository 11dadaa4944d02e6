#pragma once

#include "core/sql/schema.h"

#include <QFrame>

#include <memory>

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace helio {

/// Popup with all tables and their columns. A double click, or Enter, inserts a name into the query.
class SqlTables : public QFrame {
    Q_OBJECT

public:
    explicit SqlTables(QWidget* parent);

    void setSchema(const std::shared_ptr<const sql::Schema>& schema);
    void popup(const QPoint& globalPos); ///< Shows the popup with its lower right corner at a point.
    int shownTables() const; ///< Number of listed tables.
    QLineEdit* filter() const { return m_filter; }
    QTreeWidget* tree() const { return m_tree; }

signals:
    void chosen(const QString& name);

private:
    void applyFilter();
    void choose(QTreeWidgetItem* item);
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    QLineEdit* m_filter;
    QTreeWidget* m_tree;
};

} // namespace helio
