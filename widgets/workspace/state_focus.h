#pragma once

#include <QObject>
#include <QString>

namespace helio {

class ViewContext;

/// The state of the legend that all panels show alone in full colour. One for each context, which owns it. UI thread.
class StateFocus : public QObject {
    Q_OBJECT

public:
    static StateFocus& of(ViewContext& context);

    const QString& legend() const { return m_legend; } ///< Its word in the legend; empty: all states.
    void setLegend(const QString& legend);

signals:
    void changed();

private:
    explicit StateFocus(QObject* parent)
        : QObject(parent)
    {
    }

    QString m_legend;
};

} // namespace helio
