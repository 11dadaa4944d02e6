#pragma once

#include "tests/kills/disk_change.h"
#include "tests/support/dice.h"

#include <QByteArray>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QString>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <tuple>
#include <utility>
#include <vector>

namespace helio::test {

/// State of folders after each change in a log of power_loss_shim.cpp, and what a power loss may leave of it.
///
/// Certain is only what was synced: the contents of a file by fsync() or fdatasync() of it, the names in a folder by fsync() of the folder,
/// all by syncfs().
class DiskLog {
public:
    /// Changes without sync that a power loss takes.
    enum class Loss {
        All, ///< All of them.
        Nothing, ///< None of them.
        Contents, ///< All contents, but no names: files that were renamed are empty or old.
        ContentsNotSizes, ///< All contents, but neither names nor sizes: contents are zeros.
        Pages, ///< A random half of the pages of 4 KiB.
        PagesAndNames, ///< A random half of the pages, and a random number of the last changes of names.
    };
    static constexpr std::array<Loss, 6> AllLosses{Loss::All,   Loss::Nothing,      Loss::Contents, Loss::ContentsNotSizes,
                                                   Loss::Pages, Loss::PagesAndNames};

    /// Reads the folders below `root` as they are before the logged run.
    explicit DiskLog(const QString& root)
        : m_root(root.toStdString())
    {
        addFolder(root);
        m_base = m_names;
    }

    /// Reads a log; returns false if it is damaged.
    bool read(const QString& path)
    {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return false;
        m_bytes = file.readAll();
        for (qsizetype at = 0; at < m_bytes.size();) {
            Change change{};
            if (m_bytes.size() - at < qsizetype(sizeof change.head))
                return false;
            std::memcpy(&change.head, m_bytes.constData() + at, sizeof change.head);
            at += sizeof change.head;
            const auto size = qsizetype(change.head.firstSize + change.head.secondSize);
            if (change.head.magic != DiskChange::Magic || m_bytes.size() - at < size)
                return false;
            change.first = std::string_view(m_bytes.constData() + at, change.head.firstSize);
            change.second = std::string_view(m_bytes.constData() + at + change.head.firstSize, change.head.secondSize);
            at += size;
            m_changes.push_back(change);
        }
        return true;
    }

    std::size_t size() const { return m_changes.size(); } ///< Number of changes in the log.
    std::size_t done() const { return m_done; } ///< Number of changes that were applied.
    /// True if the next change syncs or changes names: a power loss before and after it differs most.
    bool isTurningPoint() const
    {
        const auto kind = Kind(m_changes[m_done].head.kind);
        return kind != Kind::Write && kind != Kind::Resize && kind != Kind::Create;
    }

    /// Applies the next change. Returns false if it does not fit to what the log said before.
    bool apply()
    {
        const Change& change = m_changes[m_done++];
        const std::string first(change.first);
        const Kind kind = Kind(change.head.kind);
        if (kind == Kind::Create || kind == Kind::MakeFolder) {
            m_files.push_back({{}, {}, kind == Kind::MakeFolder});
            m_numbers[change.head.file] = m_files.size() - 1;
            return first.empty() || setName(first, m_files.size() - 1);
        }
        if (kind == Kind::SyncAll) {
            for (NameChange& it : m_nameChanges)
                it.isSynced = true;
            for (File& it : m_files)
                it.synced = it.content;
            return true;
        }
        const auto found = m_numbers.find(change.head.file);
        if (found == m_numbers.end())
            return false;
        const std::size_t number = found->second;
        File& file = m_files[number];
        switch (kind) {
        case Kind::Write:
            file.content.resize(std::max<std::size_t>(file.content.size(), change.head.offset + first.size()), '\0');
            std::copy(first.begin(), first.end(), file.content.begin() + std::ptrdiff_t(change.head.offset));
            return true;
        case Kind::Resize: file.content.resize(change.head.offset, '\0'); return true;
        case Kind::SyncFile: file.synced = file.content; return true;
        case Kind::SyncFolder:
            for (NameChange& it : m_nameChanges)
                it.isSynced |= it.folder == number || it.newFolder == number;
            return true;
        case Kind::Link: return setName(first, number);
        case Kind::Rename: return setName(std::string(change.second), number, first);
        case Kind::Remove: return setName({}, number, first);
        default: return false;
        }
    }

    /// Files and folders by path; folders are those without content.
    using Tree = std::map<std::string, std::optional<std::string>>;

    /// Returns what a power loss leaves after the applied changes.
    Tree afterLoss(Loss loss, Dice& dice) const
    {
        std::size_t kept = loss == Loss::All ? 0 : m_nameChanges.size();
        if (loss == Loss::PagesAndNames)
            kept = dice.below(m_nameChanges.size() + 1);
        Names names = m_base;
        for (std::size_t i = 0; i < m_nameChanges.size(); ++i)
            if (i < kept || m_nameChanges[i].isSynced)
                apply(names, m_nameChanges[i]);
        Tree tree;
        addTo(tree, names, m_root, 0, loss, dice);
        return tree;
    }

    /// Returns the tree below the root as it is on the disk.
    Tree present() const
    {
        Tree tree{{m_root, std::nullopt}};
        QDirIterator it(QString::fromStdString(m_root), QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot,
                        QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QFile file(it.next());
            const bool isFile = it.fileInfo().isFile() && file.open(QIODevice::ReadOnly);
            tree[it.filePath().toStdString()] = isFile ? std::optional(file.readAll().toStdString()) : std::nullopt;
        }
        return tree;
    }

    /// Writes a tree with `folder` in place of the root.
    void write(const Tree& tree, const QString& folder) const
    {
        QDir(folder).removeRecursively();
        for (const auto& [path, content] : tree) {
            const QString target = folder + QString::fromStdString(path.substr(m_root.size()));
            if (!content) {
                QDir().mkpath(target);
                continue;
            }
            QFile file(target);
            if (!file.open(QIODevice::WriteOnly) || file.write(content->data(), qint64(content->size())) != qint64(content->size()))
                qFatal("cannot write %s", qPrintable(target));
        }
    }

private:
    using Kind = DiskChange::Kind;
    using Name = std::pair<std::size_t, std::string>; ///< Folder, as an index in m_files, and name in it.
    using Names = std::map<Name, std::size_t>; ///< Indices in m_files.
    static constexpr std::size_t None = ~std::size_t(0);

    struct Change {
        DiskChange head;
        std::string_view first;
        std::string_view second;
    };
    struct File {
        std::string content;
        std::string synced;
        bool isFolder = false;
    };
    /// Change of one name, or of two by a renaming, which a file system does as one.
    struct NameChange {
        std::size_t folder = None; ///< Folder of the name that vanishes; None if none.
        std::string name;
        std::size_t newFolder = None; ///< Folder of the new name; None if none.
        std::string newName;
        std::size_t file = None;
        bool isSynced = false;
    };

    /// Returns the folder and the name of a path; the folder is None if it does not exist.
    Name nameOf(const std::string& path) const
    {
        std::size_t folder = 0;
        std::string_view rest = std::string_view(path).substr(m_root.size() + 1);
        for (std::size_t at; folder != None && (at = rest.find('/')) != std::string_view::npos; rest.remove_prefix(at + 1)) {
            const auto it = m_names.find({folder, std::string(rest.substr(0, at))});
            folder = it == m_names.end() ? None : it->second;
        }
        return {folder, std::string(rest)};
    }

    /// Gives a file a name, takes one from it, or both; empty for none.
    bool setName(const std::string& path, std::size_t file, const std::string& former = {})
    {
        NameChange change;
        change.file = file;
        if (!former.empty())
            std::tie(change.folder, change.name) = nameOf(former);
        if (!path.empty())
            std::tie(change.newFolder, change.newName) = nameOf(path);
        if ((!former.empty() && change.folder == None) || (!path.empty() && change.newFolder == None))
            return false;
        apply(m_names, change);
        m_nameChanges.push_back(std::move(change));
        return true;
    }

    static void apply(Names& names, const NameChange& change)
    {
        if (change.folder != None)
            names.erase({change.folder, change.name});
        if (change.newFolder != None)
            names[{change.newFolder, change.newName}] = change.file;
    }

    void addTo(Tree& tree, const Names& names, const std::string& path, std::size_t number, Loss loss, Dice& dice) const
    {
        const File& file = m_files[number];
        if (!file.isFolder) {
            tree[path] = contentAfter(file, loss, dice);
            return;
        }
        tree[path] = std::nullopt;
        for (auto it = names.lower_bound({number, {}}); it != names.end() && it->first.first == number; ++it)
            addTo(tree, names, path + '/' + it->first.second, it->second, loss, dice);
    }

    void addFolder(const QString& root)
    {
        const auto add = [&](const QString& path) {
            struct stat facts = {};
            if (::lstat(QFile::encodeName(path).constData(), &facts) != 0)
                return;
            QFile file(path);
            const bool isFile = S_ISREG(facts.st_mode) && file.open(QIODevice::ReadOnly);
            const std::string content = isFile ? file.readAll().toStdString() : std::string();
            m_files.push_back({content, content, !isFile});
            m_numbers[facts.st_ino] = m_files.size() - 1;
            if (path != root)
                m_names[nameOf(path.toStdString())] = m_files.size() - 1;
        };
        add(root);
        QDirIterator it(root, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
        while (it.hasNext())
            add(it.next());
    }

    static std::string contentAfter(const File& file, Loss loss, Dice& dice)
    {
        if (loss == Loss::Nothing || file.content == file.synced)
            return file.content;
        if (loss == Loss::All || loss == Loss::Contents)
            return file.synced;
        constexpr std::size_t Page = 4096;
        std::string content = file.synced;
        content.resize(file.content.size(), '\0');
        for (std::size_t at = 0; at < content.size(); at += Page)
            if (loss != Loss::ContentsNotSizes && dice.below(2) == 0)
                content.replace(at, Page, file.content, at, Page);
        return content;
    }

    const std::string m_root;
    QByteArray m_bytes;
    std::vector<Change> m_changes;
    std::size_t m_done = 0;
    std::vector<File> m_files;
    std::map<std::uint64_t, std::size_t> m_numbers; ///< Indices in m_files by number (inode), of its last file.
    Names m_names; ///< Names after the applied changes.
    Names m_base; ///< Names before the logged run.
    std::vector<NameChange> m_nameChanges;
};

} // namespace helio::test
