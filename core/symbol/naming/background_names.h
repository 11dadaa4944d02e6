#pragma once

#include "core/symbol/symbolizer.h"
#include "core/trace/process/module.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <unordered_map>
#include <vector>

namespace helio {

/// Names for the addresses that a view shows, found beside it: the view paints addresses first, and names as they come.
///
/// Owner:   a window; destroying it waits for at most one address.
/// Threads: all methods from any thread; none of them reads a file or waits for one that does.
/// Cost:    find() is a look into a table. What was not asked for lately is forgotten beyond MaxKept names.
class BackgroundNames {
public:
    static constexpr std::size_t MaxKept = 200'000;

    struct Wanted {
        std::shared_ptr<const Module> module; ///< The same module is best given by the same pointer.
        std::uint64_t address = 0;
        bool wantsLines = false;
    };

    /// `onNames` is called from the worker's thread when names have come, some times a second at most; it must only pass that on.
    BackgroundNames(std::shared_ptr<Symbolizer> symbolizer, std::function<void()> onNames);
    ~BackgroundNames();
    BackgroundNames(const BackgroundNames&) = delete;
    BackgroundNames& operator=(const BackgroundNames&) = delete;

    /// What is known by now; null: not yet.
    std::shared_ptr<const Symbol> find(const Wanted& wanted);

    /// What is visible now, most important first. What was asked for before and is not begun yet is dropped.
    void request(std::span<const Wanted> wanted);
    void cancel() { request({}); }

    /// Grows with each lot of names that came: a view compares it to know that a repaint would show more.
    std::uint64_t generation() const;
    bool isIdle() const;

private:
    struct Key {
        const Module* module = nullptr;
        std::uint64_t address = 0;
        bool wantsLines = false;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const;
    };
    struct Kept {
        Wanted wanted; ///< Holds the module, so that no other one takes its address.
        std::shared_ptr<const Symbol> symbol;
    };
    using Order = std::list<Kept>;

    static Key keyOf(const Wanted& wanted) { return {wanted.module.get(), wanted.address, wanted.wantsLines}; }
    void run(std::stop_token stop);
    bool takeNext(std::stop_token stop, Wanted& next);
    void keep(const Wanted& wanted, Symbol symbol);

    const std::shared_ptr<Symbolizer> m_symbolizer;
    const std::function<void()> m_onNames;
    mutable std::mutex m_mutex; ///< Guards all below but the thread.
    std::condition_variable_any m_changed;
    std::vector<Wanted> m_queue; ///< Last one first.
    Order m_kept; ///< Last used first.
    std::unordered_map<Key, Order::iterator, KeyHash> m_index;
    std::uint64_t m_generation = 0;
    bool m_isBusy = false;
    std::jthread m_worker; ///< Last: it uses the rest.
};

} // namespace helio
