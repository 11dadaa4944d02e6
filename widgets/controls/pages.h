#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace helio {

/// Page that replaces missing content: a line that says what is missing, a line that says what to do, a button, and a list of choices (e.g.
/// recent files). It has no picture.
class EmptyPage : public QWidget {
    Q_OBJECT

public:
    explicit EmptyPage(QWidget* parent = nullptr);

    void setInDock(); ///< Adapts the page to a dock: the background of docks, and smaller distances, because a dock has little height.
    /// Sets the two lines. If `how` has a command that records what is missing, a button opens Record with the preset that records it.
    void setText(const QString& what, const QString& how = {});
    void setButton(const QString& text); ///< Sets the text of the button; empty hides it.
    void setFurtherButtons(const QStringList& texts); ///< Sets the texts of further buttons beside the main one, for alternatives.
    struct Choice {
        QString name;
        QString path; ///< Path of a file; several paths are separated by newlines.
        QString place{}; ///< Folder shown beside the name; if empty, the folder of `path`.
    };
    /// Sets the list of choices; an empty vector hides the list.
    void setChoices(const QString& heading, const std::vector<Choice>& choices);

signals:
    void buttonClicked();
    void furtherClicked(const QString& text);
    void chosen(const QString& path);

private:
    void updateLook();

    const char* m_ground = "surface.timeline";

    QLabel* m_what;
    QLabel* m_how;
    QPushButton* m_button;
    QHBoxLayout* m_buttons;
    QPushButton* m_record; ///< Button that opens Record with m_preset selected; hidden if m_preset is empty.
    QString m_preset;
    QLabel* m_heading;
    QWidget* m_list;
    QVBoxLayout* m_rows;
};

} // namespace helio
