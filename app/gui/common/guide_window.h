#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>

#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QToolButton;

namespace helio {

class GuidePages;

/// The guide: its pages with links between them, a list of the pages, and a search through all of them. Not modal; Esc closes it. UI
/// thread.
class GuideWindow : public QDialog {
    Q_OBJECT

public:
    /// `folder` holds the pages, of which guide.html comes first.
    explicit GuideWindow(const QString& folder, QWidget* parent = nullptr);

    /// The window's own guide, made when it is first wanted, comes to the front.
    static void showOver(QWidget& window, const QString& folder);

    /// A place where the search found its text.
    struct Hit {
        QString page; ///< File name.
        int number = 0; ///< Among the page's hits, from 0.
        QString text; ///< The words around it.
    };
    const std::vector<Hit>& hits() const { return m_hits; }
    QStringList pages() const { return m_files; } ///< File names, in the order of the list.
    QString page() const; ///< File name of the page that is shown.
    QString selectedText() const;
    void search(const QString& text);
    void open(const QString& page);
    /// Opens the page of a hit with the found text selected.
    void openHit(std::size_t hit);

private:
    void readTitles();
    void showList();
    void markPage();
    void followLine(int line);

    QString m_folder;
    QStringList m_files;
    QStringList m_titles;
    std::vector<Hit> m_hits;
    GuidePages* m_pages;
    QListWidget* m_list;
    QLineEdit* m_field;
    QLabel* m_remark;
    QToolButton* m_back;
    QToolButton* m_forward;
};

} // namespace helio
