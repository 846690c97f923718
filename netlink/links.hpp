// Names of network interfaces -> ifindex, cached for one network namespace.
#pragma once
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "netlink/context.hpp"
#include "netlink/words.hpp"

namespace nlstream {

/// Remembers what the kernel said of a link until a command in the stream or somebody else changes it.
class Links {
  public:
    explicit Links(Kernel& kernel) : kernel_(kernel) {}

    /// The link that `word` names: a name, an altname, or "ifN" for the index N (as iproute2 reads them). The reference is
    /// valid until the next call. Throws Diagnostic (no such link), BarrierNeeded.
    Link const& get(Word const& word);
    u32 index(Word const& word) { return get(word).index; }
    /// The same, but no error when there is no such link.
    Link const* find(std::string_view name);

    /// A command of the stream creates, removes or renames a link of this name.
    void touched(std::string_view name);
    /// A command of the stream may change any name (a delete takes its peers and uppers with it).
    void touched_any();
    /// Someone changed the link with this index.
    void changed(u32 index);
    /// Drops everything that was cached.
    void forget();

    /// True when a command touched a name since the last barrier: what the kernel says now may not hold then.
    bool dirty() const { return dirty_; }
    /// The kernel has applied everything that was encoded so far.
    void settled() { dirty_ = false; }
    /// Answer names that the stream creates, and the kernel does not know, with index 0 instead of an error: for
    /// checks, where nothing is applied.
    void assume_created(bool on) { assume_created_ = on; }

  private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    Kernel& kernel_;
    std::unordered_map<std::string, Link, Hash, std::equal_to<>> by_name_;
    std::unordered_set<std::string, Hash, std::equal_to<>> created_;
    std::string last_name_;
    Link const* last_ = nullptr;
    Link assumed_;
    bool dirty_ = false;
    bool assume_created_ = false;
};

/// Throws a Diagnostic unless the word can be the name of a link (net/core/dev.c, dev_valid_name(): 1 to 15 bytes, no slash
/// and no blank, neither "." nor "..").
void check_link_name(Word const& word);

}  // namespace nlstream
